"""The metrics of a cell: each with its unit, what it says and its formula, and nowhere else."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from burstlab.arrivals.dispersion import gaps_s, realised_cv
from burstlab.iterations.log import DECODE_ONLY, MIXED, PREFILL_ONLY
from burstlab.iterations.summary import KindSummary, expected_interval_ms, summarise

Value = int | float | None


@dataclass(frozen=True)
class Measurement:
    """What metrics are computed from: the two tables of a cell and how long its benchmark took."""

    requests: pa.Table
    iterations: pa.Table
    duration_s: float

    @cached_property
    def succeeded(self) -> pa.Table:
        """Requests without error."""
        return self.requests.filter(self.requests["error"].is_null())

    @cached_property
    def kinds(self) -> dict[str, KindSummary]:
        """Iterations by kind."""
        return summarise(self.iterations)

    def values(self, column: str) -> np.ndarray:
        """What succeeded requests have in `column`, without nulls."""
        return np.asarray(self.succeeded[column].drop_null().to_numpy())

    @cached_property
    def sent(self) -> pa.Table:
        """Requests that were sent, whether or not they succeeded."""
        return self.requests.filter(self.requests["send_s"].is_valid())


@dataclass(frozen=True)
class Metric:
    """A number that describes a cell; `compute` is the `formula` as code, None where it is undefined."""

    name: str
    unit: str
    description: str
    formula: str
    compute: Callable[[Measurement], Value]
    whole: bool = False


def _percentile(percent: float) -> Callable[[np.ndarray], float]:
    # Linear between closest ranks, as vLLM takes it.
    return lambda values: float(np.percentile(values, percent))


_STATISTICS: tuple[tuple[str, str, Callable[[np.ndarray], float]], ...] = (
    ("mean", "mean", lambda values: float(values.mean())),
    ("median", "median", _percentile(50)),
    ("p90", "90th percentile", _percentile(90)),
    ("p99", "99th percentile", _percentile(99)),
)
_LATENCIES = (
    ("ttft", "time to first token", "TTFT"),
    ("tpot", "time per output token after the first", "(E2EL − TTFT)/(output tokens − 1)"),
    ("e2el", "time from sending a request to its last token", "E2EL"),
)


def _over_requests(column: str, function: Callable[[np.ndarray], float]) -> Callable[[Measurement], Value]:
    def compute(cell: Measurement) -> Value:
        values = cell.values(column)
        return function(values) if values.size else None

    return compute


def _latency_metrics() -> Iterator[Metric]:
    for name, description, formula in _LATENCIES:
        for prefix, statistic, function in _STATISTICS:
            yield Metric(
                f"{prefix}_{name}_ms",
                "ms",
                f"{statistic} {description}",
                f"{statistic} of {formula} over succeeded requests",
                _over_requests(f"{name}_ms", function),
            )


def _planned_cv(cell: Measurement) -> Value:
    return _defined(realised_cv(gaps_s(cell.requests["planned_send_s"].to_numpy())))


def _realised_cv(cell: Measurement) -> Value:
    if _planned_cv(cell) is None:  # sent all at once: what gaps there are, are the client's own pace
        return None
    return _defined(realised_cv(gaps_s(np.sort(cell.sent["send_s"].to_numpy()))))


def _lateness_p99_ms(cell: Measurement) -> Value:
    late_s = cell.sent["send_s"].to_numpy() - cell.sent["planned_send_s"].to_numpy()
    return _defined(float(np.percentile(late_s, 99)) * 1000) if late_s.size else None


def _iterations(kind: str) -> Callable[[Measurement], Value]:
    # No iteration at all means that no log was read, for no engine serves a request without one.
    return lambda cell: cell.kinds[kind].iterations if cell.iterations.num_rows else None


def _defined(value: float) -> float | None:
    return value if math.isfinite(value) else None


METRICS: tuple[Metric, ...] = (
    Metric("requests", "", "requests sent", "rows", lambda cell: cell.requests.num_rows, whole=True),
    Metric(
        "failed_requests",
        "",
        "requests that ended in an error",
        "rows with an error",
        lambda cell: cell.requests.num_rows - cell.succeeded.num_rows,
        whole=True,
    ),
    Metric(
        "duration_s",
        "s",
        "length of the benchmark, as the client took it",
        "last answer − start",
        lambda cell: cell.duration_s,
    ),
    Metric(
        "throughput_req_s",
        "1/s",
        "requests served per second",
        "succeeded requests / duration",
        lambda cell: cell.succeeded.num_rows / cell.duration_s,
    ),
    Metric(
        "output_tokens",
        "tokens",
        "tokens generated",
        "Σ output tokens of succeeded requests",
        lambda cell: int(cell.values("output_tokens").sum()),
        whole=True,
    ),
    *_latency_metrics(),
    Metric(
        "planned_cv",
        "",
        "burstiness of the plan",
        "standard deviation / mean of the gaps between planned send times",
        _planned_cv,
    ),
    Metric(
        "realised_cv",
        "",
        "burstiness of what was sent",
        "standard deviation / mean of the gaps between send times",
        _realised_cv,
    ),
    Metric(
        "lateness_p99_ms",
        "ms",
        "how late the client sent requests",
        "99th percentile of send − planned send",
        _lateness_p99_ms,
    ),
    Metric(
        "decode_only_iterations",
        "",
        "iterations without context requests",
        "rows of this kind",
        _iterations(DECODE_ONLY),
        whole=True,
    ),
    Metric(
        "mixed_iterations",
        "",
        "iterations with context and generation requests",
        "rows of this kind",
        _iterations(MIXED),
        whole=True,
    ),
    Metric(
        "prefill_only_iterations",
        "",
        "iterations without generation requests",
        "rows of this kind",
        _iterations(PREFILL_ONLY),
        whole=True,
    ),
    Metric(
        "decode_only_token_share",
        "",
        "share of tokens made in decode-only iterations",
        "Σ generation tokens of decode-only iterations / Σ generation tokens",
        lambda cell: cell.kinds[DECODE_ONLY].token_share,
    ),
    Metric(
        "mean_decode_only_ms",
        "ms",
        "mean duration of decode-only iterations",
        "mean of elapsed time",
        lambda cell: cell.kinds[DECODE_ONLY].mean_ms,
    ),
    Metric(
        "mean_mixed_ms",
        "ms",
        "mean duration of mixed iterations",
        "mean of elapsed time",
        lambda cell: cell.kinds[MIXED].mean_ms,
    ),
    Metric(
        "mean_mixed_tokens",
        "tokens",
        "mean size of mixed iterations",
        "mean of context + generation tokens",
        lambda cell: cell.kinds[MIXED].mean_tokens,
    ),
    Metric(
        "expected_interval_ms",
        "ms",
        "time between tokens that the kinds of iteration predict",
        "Σ over decode-only and mixed of token share × mean duration",
        lambda cell: expected_interval_ms(cell.kinds),
    ),
)


def compute_summary(requests: pa.Table, iterations: pa.Table, duration_s: float) -> dict[str, Value]:
    """All `METRICS` of a cell by name, from its two tables and the duration of its benchmark in seconds."""
    cell = Measurement(requests, iterations, duration_s)
    return {metric.name: metric.compute(cell) for metric in METRICS}
