"""JSON arrays are read piece by piece, and exactly those that `json` reads."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.datasets import streaming
from burstlab.datasets.streaming import read_json_array, replacing, write_csv, write_json_array
from burstlab.errors import BurstlabError

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**12), 10**12)
    | st.text()
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
PER_EXAMPLE = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@pytest.fixture(params=[1, 3, 1 << 22])
def chunk(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """Small chunks cut every value somewhere."""
    monkeypatch.setattr(streaming, "_CHUNK_CHARACTERS", request.param)
    return request.param


@PER_EXAMPLE
@given(items=st.lists(JSON, max_size=5), indent=st.none() | st.integers(0, 2), ascii_only=st.booleans())
def test_any_array_is_read_as_json_does(
    tmp_path: Path, chunk: int, items: list[object], indent: int | None, ascii_only: bool
) -> None:
    path = tmp_path / "a.json"
    path.write_text(json.dumps(items, indent=indent), encoding="utf-8")
    assert list(read_json_array(path)) == items


@PER_EXAMPLE
@given(items=st.lists(JSON, min_size=1, max_size=3), data=st.data())
def test_a_cut_array_is_an_error(
    tmp_path: Path, chunk: int, items: list[object], data: st.DataObject
) -> None:
    path = tmp_path / "a.json"
    text = json.dumps(items)
    path.write_text(text[: data.draw(st.integers(0, len(text) - 1))], encoding="utf-8")
    with pytest.raises(BurstlabError, match=r"a\.json is malformed at character"):
        list(read_json_array(path))


@PER_EXAMPLE
@given(content=st.binary(max_size=60) | st.text('[]{},:"1e.-nulltruefals \\u', max_size=60).map(str.encode))
def test_nothing_but_a_burstlab_error_comes_of_any_bytes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.json"
    path.write_bytes(content)
    try:
        items = list(read_json_array(path))
    except BurstlabError as error:
        assert "a.json" in str(error)
    else:
        assert items == json.loads(content.decode("utf-8-sig"))


@pytest.mark.parametrize(
    "content",
    ["{}", "[1 2]", "[1,]", "[,1]", "[1]x", "[1][2]", "[" * 100_000, '["\\ud83d', "[1e", '[{"a":}]', '"[]"'],
)
def test_malformed_arrays_are_named(tmp_path: Path, chunk: int, content: str) -> None:
    (tmp_path / "a.json").write_text(content)
    with pytest.raises(BurstlabError, match=r"a\.json is malformed"):
        list(read_json_array(tmp_path / "a.json"))


def test_the_message_says_where(tmp_path: Path, chunk: int) -> None:
    (tmp_path / "a.json").write_text("[10, 20 ; 30]")
    with pytest.raises(BurstlabError, match="at character 8"):
        list(read_json_array(tmp_path / "a.json"))


def test_a_number_may_touch_the_end_of_a_chunk(tmp_path: Path, chunk: int) -> None:
    (tmp_path / "a.json").write_text("[123456, 7.5e3]")
    assert list(read_json_array(tmp_path / "a.json")) == [123456, 7500.0]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"a\.json"):
        list(read_json_array(tmp_path / "a.json"))


@PER_EXAMPLE
@given(items=st.lists(JSON, max_size=4))
def test_what_is_written_is_json(tmp_path: Path, items: list[object]) -> None:
    write_json_array(tmp_path / "a.json", items)
    assert json.loads((tmp_path / "a.json").read_bytes()) == items


def test_a_failed_write_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text("old")
    with pytest.raises(RuntimeError), replacing(path) as file:
        file.write(b"new")
        raise RuntimeError
    assert [found.name for found in tmp_path.iterdir()] == ["a.json"]
    assert path.read_text() == "old"


def test_csv_has_a_plain_header_quoted_text_and_exact_floats(tmp_path: Path) -> None:
    write_csv(tmp_path / "a.csv", pa.table({"Log Type": ["a", 'b,"c'], "x": [0.1, 2.0]}))
    assert (tmp_path / "a.csv").read_text() == 'Log Type,x\n"a",0.1\n"b,""c",2\n'
