"""Data sets and traces: arrivals are finite, ascending from 0, and of as many requests as were kept."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.fuzzing import fuzzed, read_or_refused
from tests.fuzz.mutated_bytes import mutated
from tests.fuzz.mutated_json import mutated_json

from burstlab.arrivals.trace import planned_send_s
from burstlab.datasets.azure import prepare_azure
from burstlab.datasets.burstgpt import prepare_burstgpt
from burstlab.datasets.lengths import Prepared
from burstlab.datasets.mooncake import prepare_mooncake
from burstlab.datasets.sharegpt import prepare_sharegpt
from burstlab.datasets.timestamps import read_timestamps_s

Prepare = Callable[[Path, Path], Prepared]

AZURE_2023 = b"""TIMESTAMP,ContextTokens,GeneratedTokens
2023-11-16 23:59:59.9999999,374,44
2023-11-17 00:00:00.0000000,396,109
2023-11-17 00:00:04.3144885,879,55
"""
AZURE_2024 = b"""TIMESTAMP,ContextTokens,GeneratedTokens
2024-05-10 00:00:00.009930+00:00,2162,5
2024-05-10 00:00:01+00:00,2399,6
"""
BURSTGPT = b"""Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type
10,ChatGPT,100,10,110,Conversation log
12,GPT-4,200,20,220,Conversation log
12.5,GPT-4,300,0,300,API log
13,GPT-4,400,40,440,API log
"""
BURSTGPT_3 = b"""Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type
10,1,0.5,ChatGPT,100,10,110,Conversation log
12,2,,GPT-4,200,20,220,Conversation log
13,,1.5,GPT-4,400,40,440,API log
"""
MOONCAKE_ROW = {"timestamp": 3000, "input_length": 6758, "output_length": 500, "hash_ids": [0, 1, 2]}
MOONCAKE = b"".join(
    json.dumps({**MOONCAKE_ROW, "timestamp": time_ms}).encode() + b"\n" for time_ms in (0, 3000, 3000, 6027)
)
TURNS = [{"from": "human", "value": "how are you"}, {"from": "gpt", "value": "well, thank you"}]
SHAREGPT_ROW = {"id": "a", "conversations": TURNS}
SHAREGPT = json.dumps([SHAREGPT_ROW, {"id": "é", "conversations": [*TURNS, *TURNS]}], indent=1).encode()

TIME_VALUES = st.sampled_from(
    (
        *("", "NaT", "nan", "NaN", "inf", "-inf", "1e308", "-1e308", "-1", "0", "now", "today", "2023"),
        *("2023-11-16T18:15:46Z", "1500-01-01 00:00:00", "9999-12-31 00:00:00", "2023-02-30 00:00:00"),
        *("2023-11-16 23:59:60", "2023-11-16 00:00+99:99", "2023-W46-4", "20231116", "9" * 30, " 12 "),
        *("1_0", "0x10", "1,5", "None", "<NA>", "\u0663"),
    )
)
COUNT_VALUES = st.sampled_from(
    ["", "nan", "-1", "1.5", "1e3", "9" * 18, "9" * 19, "9" * 40, "true", " 7 ", "0", "\u0663", "2147483649"]
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("dataset")


def arrivals_are_possible(prepare: Prepare, folder: Path, data: bytes) -> Prepared | None:
    source, target = folder / "source.file", folder / "prepared"
    for old in target.glob("*"):
        old.unlink()
    source.write_bytes(data)
    prepared = read_or_refused(lambda: prepare(source, target), source.name)
    if prepared is None:
        return None
    times_s = read_timestamps_s(target)
    assert times_s[0] == 0
    assert np.isfinite(times_s).all()
    assert (np.diff(times_s) >= 0).all()
    assert len(times_s) >= prepared.rows_kept > 0
    lengths = list(csv.reader((target / "timestamps.csv").read_text().splitlines()))[1:]
    assert all(int(row[1]) >= 0 and int(row[2]) >= 0 for row in lengths)
    assert prepared.lengths is not None
    numbers = [*dict(prepared.lengths.input).values(), *dict(prepared.lengths.output).values()]
    assert np.isfinite(numbers).all()
    planned = (
        read_or_refused(lambda: planned_send_s(times_s, 1, 10.0, 0), "trace") if len(times_s) > 1 else None
    )
    assert planned is None or np.isfinite(planned).all()
    return prepared


@fuzzed(200)
@given(st.sampled_from((AZURE_2023, AZURE_2024)).flatmap(mutated))
def test_azure(folder: Path, data: bytes) -> None:
    prepared = arrivals_are_possible(prepare_azure, folder, data)
    if prepared is not None:
        assert len(read_timestamps_s(folder / "prepared")) == prepared.rows_kept


@fuzzed(200)
@given(TIME_VALUES, COUNT_VALUES)
def test_azure_values(folder: Path, time: str, count: str) -> None:
    rows = f"{time},1,2\n2023-11-17 00:00:01.5,{count},3\n"
    arrivals_are_possible(prepare_azure, folder, AZURE_2023 + rows.encode())


@fuzzed(200)
@given(st.sampled_from((BURSTGPT, BURSTGPT_3)).flatmap(mutated))
def test_burstgpt(folder: Path, data: bytes) -> None:
    arrivals_are_possible(prepare_burstgpt, folder, data)


@fuzzed(200)
@given(TIME_VALUES, COUNT_VALUES)
def test_burstgpt_values(folder: Path, time: str, count: str) -> None:
    rows = f"{time},GPT-4,1,2,3,x\n13,GPT-4,{count},3,3,x\n14,GPT-4,3,{count},3,x\n"
    arrivals_are_possible(prepare_burstgpt, folder, BURSTGPT + rows.encode())


@fuzzed(200)
@given(mutated(MOONCAKE))
def test_mooncake(folder: Path, data: bytes) -> None:
    arrivals_are_possible(prepare_mooncake, folder, data)


@fuzzed(200)
@given(mutated_json(MOONCAKE_ROW))
def test_mooncake_values(folder: Path, line: bytes) -> None:
    arrivals_are_possible(prepare_mooncake, folder, MOONCAKE + line + b"\n")


@fuzzed(200)
@given(st.one_of(mutated(SHAREGPT), mutated_json(SHAREGPT_ROW).map(lambda row: b"[" + row + b"]")))
def test_sharegpt(folder: Path, data: bytes) -> None:
    source, target = folder / "source.file", folder / "prepared"
    source.write_bytes(data)
    (target / "data.json").unlink(missing_ok=True)
    prepared = read_or_refused(lambda: prepare_sharegpt(source, target), source.name)
    if prepared is None:
        assert not (target / "data.json").exists()
        return
    rows = json.loads((target / "data.json").read_bytes())
    assert len(rows) == prepared.rows_kept
    for row in rows:
        assert isinstance(row["id"], str)
        assert all(turn["value"].strip() for turn in row["conversations"])
        assert len(row["conversations"]) == 2


@fuzzed(100)
@given(mutated(b"arrival_s,input_tokens,output_tokens\n0,1,2\n1.5,3,4\n2.25,5,6\n"))
def test_timestamps_of_a_prepared_trace(folder: Path, data: bytes) -> None:
    (folder / "timestamps.csv").write_bytes(data)
    times_s = read_or_refused(lambda: read_timestamps_s(folder), "timestamps.csv")
    if times_s is not None and len(times_s) > 1:
        planned = read_or_refused(lambda: planned_send_s(times_s, 1, 10.0, 0), "trace")
        assert planned is None or np.isfinite(planned).all()
