"""`bench.json`: what is read of any file is a table of possible times, or nothing."""

import json
import math
from pathlib import Path
from typing import Any

import pyarrow as pa
from hypothesis import given
from tests.fuzz.fuzzing import fuzzed, read_or_refused
from tests.fuzz.mutated_bytes import mutated
from tests.fuzz.mutated_json import mutated_json

from burstlab.bench.requests_table import check_against_saved, parse_bench, requests_table

# Four requests: of three tokens, of one, one that failed, and one of two tokens whose stream came in one piece.
CONTENT: dict[str, Any] = {
    "date": "20260101-120000",
    "model_id": "some/model",
    "num_prompts": 4,
    "request_rate": 1.0,
    "burstiness": 0.5,
    "duration": 4.0,
    "completed": 3,
    "failed": 1,
    "total_input_tokens": 60,
    "total_output_tokens": 6,
    "request_throughput": 0.75,
    "input_lens": [10, 20, 5, 30],
    "output_lens": [3, 1, 0, 2],
    "ttfts": [0.5, 0.25, 0.0, 0.125],
    "itls": [[0.125, 0.375], [], [], []],
    "latencies": [1.0, 0.25, 0.0, 0.125],
    "start_times": [100.0, 101.0, 103.0, 103.5],
    "errors": ["", "", "Bad gateway", ""],
}
PLANNED_S = [0.0, 1.0, 3.0, 3.25]
PATH = Path("cells/bench.json")


def table(data: bytes) -> pa.Table:
    bench = parse_bench(data, PATH)
    found = requests_table(bench, PLANNED_S, 100.0)
    check_against_saved(found, bench)
    return found


def is_possible(data: bytes) -> None:
    found = read_or_refused(lambda: table(data), PATH.name)
    if found is None:
        return
    assert found.num_rows == len(PLANNED_S)
    for row in found.to_pylist():
        times = [row[name] for name in ("ttft_ms", "tpot_ms", "e2el_ms", "max_itl_ms")]
        assert all(time is None or (math.isfinite(time) and time >= 0) for time in times)
        assert row["send_s"] is None or math.isfinite(row["send_s"])
        assert row["prompt_tokens"] >= 0
        assert row["output_tokens"] >= 0
        # A request has its times or its error.
        assert (row["error"] is None) == (row["ttft_ms"] is not None) == (row["e2el_ms"] is not None)
        if row["error"] is None:
            assert row["ttft_ms"] <= row["e2el_ms"]


def test_the_file_as_it_should_be_is_read() -> None:
    assert table(json.dumps(CONTENT).encode()).num_rows == 4


@fuzzed(300)
@given(mutated(json.dumps(CONTENT).encode()))
def test_damaged_bytes(data: bytes) -> None:
    is_possible(data)


@fuzzed(600)
@given(mutated_json(CONTENT))
def test_wrong_values(data: bytes) -> None:
    is_possible(data)


@fuzzed(200)
@given(mutated_json({key: value for key, value in CONTENT.items() if key != "latencies"}))
def test_wrong_values_in_the_form_before_latencies_were_saved(data: bytes) -> None:
    is_possible(data)
