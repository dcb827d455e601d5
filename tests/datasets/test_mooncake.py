"""Mooncake's traces: one object a line, milliseconds."""

import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.datasets.mooncake import prepare_mooncake
from burstlab.errors import BurstlabError


def line(**values: object) -> str:
    return json.dumps({"hash_ids": list(range(200)), **values}) + "\n"


def test_milliseconds_become_seconds_from_the_first(tmp_path: Path) -> None:
    content = line(timestamp=3000, input_length=6758, output_length=500)
    content += line(timestamp=3000, input_length=10, output_length=2)
    content += line(timestamp=6027, input_length=7322, output_length=490)
    (tmp_path / "in.jsonl").write_text(content)
    prepared = prepare_mooncake(tmp_path / "in.jsonl", tmp_path)
    assert (tmp_path / "timestamps.csv").read_text() == (
        "arrival_s,input_tokens,output_tokens\n0,6758,500\n0,10,2\n3.027,7322,490\n"
    )
    assert prepared.rows_kept == 3


def test_lines_that_lack_a_value_are_counted(tmp_path: Path) -> None:
    content = line(timestamp=1, input_length=1, output_length=1) + line(timestamp=1, input_length=1) + "{}\n"
    (tmp_path / "in.jsonl").write_text(content)
    prepared = prepare_mooncake(tmp_path / "in.jsonl", tmp_path)
    assert prepared.rows_kept == 1
    assert prepared.rows_dropped == {"no timestamp": 1, "no output_length": 1}


@pytest.mark.parametrize(
    "content", ["", "{}\n", "[1]\n", "{\n", line(timestamp="x", input_length=1, output_length=1)]
)
def test_unusable_files_are_named(tmp_path: Path, content: str) -> None:
    (tmp_path / "in.jsonl").write_text(content)
    with pytest.raises(BurstlabError, match=r"in\.jsonl"):
        prepare_mooncake(tmp_path / "in.jsonl", tmp_path)


VALUE = st.none() | st.integers() | st.floats() | st.text(max_size=3) | st.lists(st.integers(), max_size=2)
OBJECT = st.dictionaries(st.sampled_from(["timestamp", "input_length", "output_length", "hash_ids"]), VALUE)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    st.binary(max_size=60)
    | st.lists(OBJECT.map(json.dumps), max_size=4).map(lambda rows: "\n".join(rows).encode())
)
def test_nothing_but_a_burstlab_error_comes_of_any_bytes(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "in.jsonl").write_bytes(content)
    try:
        prepare_mooncake(tmp_path / "in.jsonl", tmp_path)
    except BurstlabError as error:
        assert "in.jsonl" in str(error)


def test_times_that_cannot_be_are_dropped(tmp_path: Path) -> None:
    content = line(timestamp=1, input_length=1, output_length=1)
    content += line(timestamp=1e308, input_length=1, output_length=1)
    (tmp_path / "in.jsonl").write_text(content)
    assert prepare_mooncake(tmp_path / "in.jsonl", tmp_path).rows_dropped == {"timestamp beyond 1e+12": 1}
