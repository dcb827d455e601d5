import math
from typing import Any

import pyarrow as pa
import pytest

from burstlab.bench.requests_table import SCHEMA as REQUESTS
from burstlab.iterations.log import SCHEMA as ITERATIONS
from burstlab.records.cell_record import check_folder
from burstlab.records.summary import METRICS, compute_summary


def test_numbers_of_a_cell_worked_by_hand(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    summary = check_folder(sample_cells.build(cell), cell).summary
    # TTFT 500 and 250 ms; TPOT 250 ms (the other has one token); E2EL 1000 and 250 ms.
    assert summary["requests"] == 3
    assert summary["failed_requests"] == 1
    assert summary["throughput_req_s"] == 0.5
    assert summary["output_tokens"] == 4
    assert summary["mean_ttft_ms"] == summary["median_ttft_ms"] == 375.0
    assert summary["p90_ttft_ms"] == pytest.approx(475.0)
    assert summary["p99_ttft_ms"] == pytest.approx(497.5)
    assert summary["mean_tpot_ms"] == summary["p99_tpot_ms"] == 250.0
    assert summary["median_e2el_ms"] == 625.0
    # Iterations: decode-only makes 3 tokens in 10 ms, mixed 1 token in 30 ms.
    assert [summary[f"{kind}_iterations"] for kind in ("decode_only", "mixed", "prefill_only")] == [1, 1, 1]
    assert summary["decode_only_token_share"] == 0.75
    assert summary["mean_decode_only_ms"] == 10.0
    assert summary["mean_mixed_ms"] == 30.0
    assert summary["mean_mixed_tokens"] == 6.0
    assert summary["expected_interval_ms"] == 15.0


def test_gaps_and_lateness(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    bench = {"start_times": [100.0, 101.0, 104.0]}
    summary = check_folder(sample_cells.build(cell, bench=bench), cell).summary
    # Planned gaps 0, 1, 2: mean 1, standard deviation √(2/3). Sent: 0, 1, 3: mean 4/3, deviation √(14/9).
    assert summary["planned_cv"] == pytest.approx(math.sqrt(2 / 3))
    assert summary["realised_cv"] == pytest.approx(math.sqrt(14 / 9) / (4 / 3))
    # Late by 0, 0 and 1000 ms.
    assert summary["lateness_p99_ms"] == pytest.approx(980.0)


def test_all_at_once_has_no_burstiness(sample_cells: Any) -> None:
    cell = sample_cells.cell(rate=math.inf)
    changes = {"bench": {"start_times": [100.0, 100.01, 100.02]}, "planned_send_s": [0.0, 0.0, 0.0]}
    summary = check_folder(sample_cells.build(cell, **changes), cell).summary
    assert summary["planned_cv"] is None
    assert summary["realised_cv"] is None


def test_a_cell_without_anything_has_no_numbers_but_counts_of_requests() -> None:
    summary = compute_summary(REQUESTS.empty_table(), ITERATIONS.empty_table(), 1.0)
    numbers = {name: value for name, value in summary.items() if value is not None}
    assert set(numbers) == {
        "requests",
        "failed_requests",
        "duration_s",
        "throughput_req_s",
        "output_tokens",
    }


def test_all_failed_gives_nulls(sample_cells: Any) -> None:
    failed = {
        "ttfts": [0.0] * 3,
        "latencies": [0.0] * 3,
        "itls": [[]] * 3,
        "output_lens": [0] * 3,
        "completed": 0,
        "failed": 3,
        "mean_ttft_ms": 0.0,
        "median_tpot_ms": 0.0,
    }
    cell = sample_cells.cell()
    summary = check_folder(sample_cells.build(cell, bench=failed), cell).summary
    assert summary["failed_requests"] == 3
    assert summary["throughput_req_s"] == 0
    assert summary["mean_ttft_ms"] is None


def test_every_metric_says_what_it_is() -> None:
    names = [metric.name for metric in METRICS]
    assert len(set(names)) == len(names)
    for metric in METRICS:
        assert metric.description
        assert metric.formula
        assert metric.name.endswith(
            {"ms": "_ms", "s": "_s", "1/s": "_s", "tokens": "_tokens", "": ""}[metric.unit]
        )


def test_whole_metrics_are_integers(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    summary = check_folder(sample_cells.build(cell), cell).summary
    table = pa.table({metric.name: [summary[metric.name]] for metric in METRICS})
    for metric in METRICS:
        assert pa.types.is_integer(table.schema.field(metric.name).type) == metric.whole
