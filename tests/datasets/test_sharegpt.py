"""ShareGPT files: what is kept, what is dropped, and why."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.datasets.sharegpt import prepare_sharegpt
from burstlab.errors import BurstlabError

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=10),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["id", "conversations", "from", "value", "x"]), inner, max_size=4)
    ),
    max_leaves=20,
)


def talk(*texts: object) -> dict[str, object]:
    return {"id": "c", "conversations": [{"from": "human", "value": text} for text in texts]}


def write(path: Path, rows: object) -> Path:
    path.write_text(json.dumps(rows))
    return path


def test_the_first_two_turns_are_kept(tmp_path: Path) -> None:
    source = write(tmp_path / "in.json", [talk("one two", "a b c", "later")])
    prepared = prepare_sharegpt(source, tmp_path)
    assert json.loads((tmp_path / "data.json").read_text()) == [
        {
            "id": "c",
            "conversations": [{"from": "human", "value": "one two"}, {"from": "gpt", "value": "a b c"}],
        }
    ]
    assert prepared.rows_kept == 1
    assert prepared.rows_dropped == {}
    assert prepared.lengths is not None
    assert prepared.lengths.unit.startswith("words")
    assert (prepared.lengths.input.mean, prepared.lengths.output.p50) == (2, 3)


def test_dropped_rows_are_counted_by_reason(tmp_path: Path) -> None:
    rows = [
        talk("a", "b"),
        talk("alone"),
        talk(),
        talk(" \n", "b"),
        talk("a", ""),
        talk("a", 3),
        {"id": "x", "conversations": ["a", "b"]},
        {"id": "x"},
        {"id": "x", "conversations": {"0": 1, "1": 2}},
        17,
        talk("\ud800 half", "b"),
    ]
    prepared = prepare_sharegpt(write(tmp_path / "in.json", rows), tmp_path)
    assert prepared.rows_kept == 1
    assert prepared.rows_dropped == {
        "empty text": 2,
        "fewer than two turns": 2,
        "text that is not valid Unicode": 1,
        "wrong shape: a turn without text": 2,
        "wrong shape: no list of conversations": 3,
    }


def test_a_row_without_a_name_gets_one(tmp_path: Path) -> None:
    rows = [talk("a", "b") | {"id": 5}, {"conversations": talk("a", "b")["conversations"]}]
    prepare_sharegpt(write(tmp_path / "in.json", rows), tmp_path)
    assert [row["id"] for row in json.loads((tmp_path / "data.json").read_text())] == ["row-0", "row-1"]


def test_nothing_usable_says_why_and_leaves_no_file(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"in\.json.*fewer than two turns: 1"):
        prepare_sharegpt(write(tmp_path / "in.json", [talk("alone")]), tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["in.json"]


def test_a_malformed_file_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "in.json").write_text(json.dumps([talk("a", "b")])[:-1])
    with pytest.raises(BurstlabError, match=r"in\.json is malformed"):
        prepare_sharegpt(tmp_path / "in.json", tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["in.json"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(rows=st.lists(JSON | st.lists(JSON).map(lambda turns: {"conversations": turns}), max_size=6))
def test_every_row_is_kept_or_counted(tmp_path: Path, rows: list[object]) -> None:
    source = write(tmp_path / "in.json", rows)
    try:
        prepared = prepare_sharegpt(source, tmp_path)
    except BurstlabError as error:
        assert "holds no usable conversation" in str(error)
    else:
        kept = json.loads((tmp_path / "data.json").read_text())
        assert len(kept) == prepared.rows_kept
        assert prepared.rows_kept + sum(prepared.rows_dropped.values()) == len(rows)
