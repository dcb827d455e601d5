"""What `vllm bench serve --save-detailed` saved, as a table with a row a request.

The saved lists are in the order of the planned requests, and all times in them are seconds on the client's
monotonic clock (`calculate_metrics` in vllm/benchmarks/serve.py and the request functions in
vllm/benchmarks/lib/endpoint_request_func.py, 0.22 to 0.33).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from burstlab.errors import BurstlabError
from burstlab.sealed import is_unicode, json_object

SCHEMA = pa.schema(
    [
        pa.field("request", pa.int64(), nullable=False),
        pa.field("planned_send_s", pa.float64(), nullable=False),
        pa.field("send_s", pa.float64()),
        pa.field("prompt_tokens", pa.int64(), nullable=False),
        pa.field("output_tokens", pa.int64(), nullable=False),
        pa.field("ttft_ms", pa.float64()),
        pa.field("tpot_ms", pa.float64()),
        pa.field("e2el_ms", pa.float64()),
        pa.field("max_itl_ms", pa.float64()),
        pa.field("error", pa.string()),
    ]
)

NO_REASON = "failed without a reason"
_MOST_S = 2.0**53
_MOST_COUNT = 2**31  # sums over any number of requests are exact


@dataclass(frozen=True)
class Bench:
    """The part of the saved file that tables are made of; lists have an item a request, times are in seconds.

    `saved` holds the aggregate metrics, as far as they are finite numbers.
    """

    path: Path
    duration_s: float
    completed: int
    start_times: tuple[float, ...]
    input_lens: tuple[int, ...]
    output_lens: tuple[int, ...]
    ttfts: tuple[float, ...]
    itls: tuple[tuple[float, ...], ...]
    latencies: tuple[float, ...] | None
    errors: tuple[str, ...]
    saved: dict[str, float]

    def failed(self, request: int) -> bool:
        """Whether the request failed: it has an error (whose text may be empty) or no first token."""
        return bool(self.errors[request]) or not self.ttfts[request]

    def latency_s(self, request: int) -> float:
        """From sending to the last token. Before 0.32 not saved, but it is the sum of the intervals."""
        if self.latencies is not None:
            return self.latencies[request]
        return self.ttfts[request] + sum(self.itls[request])


def read_bench(path: Path) -> Bench:
    """Read and check the file; raises BurstlabError naming file and key when it is not as vLLM writes it."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_bench(data, path)


def parse_bench(data: bytes, path: Path) -> Bench:
    """The same for the content `data` of the file; `path` is for messages."""
    return _bench(path, _Keys(path, json_object(data, path)))


def requests_table(
    bench: Bench, planned_send_s: Sequence[float] | np.ndarray, start_clock_s: float | None = None
) -> pa.Table:
    """A row a request with the columns of `SCHEMA`.

    `planned_send_s`: seconds from the start of the run, shape (requests,). `start_clock_s`: what the client's
    clock showed at that start; `send_s` counts from it too, so that `send_s - planned_send_s` is the client's
    lateness, which vLLM's own metrics hide. Without it the first request is taken to be punctual. TPOT is
    (E2EL − TTFT)/(output tokens − 1), null below two tokens. A failed row has nulls, and its error.
    Raises BurstlabError when the file does not have as many requests as were planned.
    """
    planned = [float(value) for value in planned_send_s]
    if len(planned) != len(bench.ttfts):
        raise BurstlabError(
            f"{bench.path}: ttfts has {len(bench.ttfts)} items; {len(planned)} requests were planned"
        )
    if not all(map(math.isfinite, planned)):
        raise BurstlabError(f"{bench.path}: a planned send time is not finite")
    if start_clock_s is None:
        start_clock_s = _punctual_start_s(bench, planned)
    rows = [_row(bench, request, send_s, start_clock_s) for request, send_s in enumerate(planned)]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _punctual_start_s(bench: Bench, planned_send_s: Sequence[float]) -> float:
    pairs = zip(bench.start_times, planned_send_s, strict=True)
    return next((started_s - planned_s for started_s, planned_s in pairs if started_s), 0.0)


def _row(bench: Bench, request: int, planned_send_s: float, start_clock_s: float) -> dict[str, Any]:
    started_s = bench.start_times[request]
    row: dict[str, Any] = {
        "request": request,
        "planned_send_s": planned_send_s,
        # A request that failed before it was sent has no start time.
        "send_s": started_s - start_clock_s if started_s else None,
        "prompt_tokens": bench.input_lens[request],
        "output_tokens": bench.output_lens[request],
    }
    if bench.failed(request):
        return row | {"error": bench.errors[request] or NO_REASON}
    ttft_s, latency_s, intervals_s = bench.ttfts[request], bench.latency_s(request), bench.itls[request]
    tokens = bench.output_lens[request]
    return row | {
        "ttft_ms": ttft_s * 1000,
        "tpot_ms": (latency_s - ttft_s) / (tokens - 1) * 1000 if tokens > 1 else None,
        "e2el_ms": latency_s * 1000,
        "max_itl_ms": max(intervals_s) * 1000 if intervals_s else None,
    }


def _bench(path: Path, keys: _Keys) -> Bench:
    bench = Bench(
        path=path,
        duration_s=keys.number("duration"),
        completed=keys.count("completed"),
        start_times=keys.numbers("start_times"),
        input_lens=keys.counts("input_lens"),
        output_lens=keys.counts("output_lens"),
        ttfts=keys.numbers("ttfts"),
        itls=keys.intervals("itls"),
        latencies=keys.numbers("latencies") if "latencies" in keys.content else None,
        errors=keys.texts("errors"),
        saved=keys.finite_numbers(),
    )
    if bench.duration_s <= 0:
        raise BurstlabError(f"{path}: duration is {bench.duration_s}; it must be above 0 seconds")
    for name in ("start_times", "input_lens", "output_lens", "itls", "latencies", "errors"):
        items = getattr(bench, name)
        if items is not None and len(items) != len(bench.ttfts):
            raise BurstlabError(f"{path}: {name} has {len(items)} items, ttfts {len(bench.ttfts)}")
    for request, ttft_s in enumerate(bench.ttfts):
        if not bench.failed(request) and bench.latency_s(request) < ttft_s:
            raise BurstlabError(
                f"{path}: latencies has {bench.latency_s(request)} s for request {request}, "
                f"whose first token came after {ttft_s} s (ttfts)"
            )
    return bench


@dataclass(frozen=True)
class _Keys:
    """Typed access to the keys of the file."""

    path: Path
    content: dict[str, Any]

    def number(self, key: str) -> float:
        return self._number(self._get(key), key)

    def numbers(self, key: str) -> tuple[float, ...]:
        return tuple(self._number(item, key) for item in self._list(key))

    def count(self, key: str) -> int:
        return self._count(self._get(key), key)

    def counts(self, key: str) -> tuple[int, ...]:
        return tuple(self._count(item, key) for item in self._list(key))

    def texts(self, key: str) -> tuple[str, ...]:
        for item in self._list(key):
            if not isinstance(item, str):
                raise self._wrong(key, item, "texts were expected")
            if not item.isascii() and not is_unicode(item):
                raise self._wrong(key, item, "this text is not Unicode")
        return tuple(self._list(key))

    def intervals(self, key: str) -> tuple[tuple[float, ...], ...]:
        for item in self._list(key):
            if not isinstance(item, list):
                raise self._wrong(key, item, "lists of seconds were expected")
        return tuple(tuple(self._number(value, key) for value in item) for item in self._list(key))

    def finite_numbers(self) -> dict[str, float]:
        return {key: float(value) for key, value in self.content.items() if _is_finite(value)}

    def _get(self, key: str) -> Any:
        if key not in self.content:
            raise BurstlabError(f"{self.path}: key {key} is missing; was it saved with --save-detailed?")
        return self.content[key]

    def _list(self, key: str) -> list[Any]:
        value = self._get(key)
        if not isinstance(value, list):
            raise self._wrong(key, value, "a list was expected")
        return value

    def _number(self, value: Any, key: str) -> float:
        if not _is_finite(value) or not 0 <= value < _MOST_S:
            raise self._wrong(key, value, "a number of seconds from 0 was expected")
        return float(value)

    def _count(self, value: Any, key: str) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value < _MOST_COUNT:
            raise self._wrong(key, value, "a whole number from 0 was expected")
        return value

    def _wrong(self, key: str, value: Any, expected: str) -> BurstlabError:
        return BurstlabError(f"{self.path}: {key} has {ascii(value)[:60]}; {expected}")


def _is_finite(value: Any) -> bool:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return False
    return abs(value) < 2.0**1000  # also False for NaN; a longer whole number would not convert to float


def check_against_saved(requests: pa.Table, bench: Bench) -> None:
    """Compare the table's aggregates with those that vLLM saved; raises BurstlabError where one differs.

    Counts, throughput, and the means, medians and percentiles of TTFT, TPOT and E2EL that were saved must
    agree to 1 part in a million. vLLM takes them over completed requests (TPOT: those of two or more tokens)
    with numpy's linear percentile, and writes 0 where there is none.
    """
    for key, value in _aggregates(requests, bench).items():
        saved = bench.saved.get(key)
        if saved is not None and not math.isclose(saved, value, rel_tol=1e-6, abs_tol=1e-9):
            raise BurstlabError(
                f"{bench.path}: {key} is saved as {saved!r}, but its requests give {value!r}: "
                "the file is damaged, or this version of vLLM counts in another way"
            )


def _aggregates(requests: pa.Table, bench: Bench) -> dict[str, float]:
    succeeded = requests.filter(requests["error"].is_null())
    values: dict[str, float] = {
        "completed": succeeded.num_rows,
        "failed": requests.num_rows - succeeded.num_rows,
        "total_input_tokens": _total(succeeded, "prompt_tokens"),
        "total_output_tokens": _total(succeeded, "output_tokens"),
        "request_throughput": succeeded.num_rows / bench.duration_s,
    }
    for name in ("ttft", "tpot", "e2el"):
        column = succeeded[f"{name}_ms"].drop_null().to_numpy()
        column = column if column.size else np.zeros(1)
        values[f"mean_{name}_ms"] = float(column.mean())
        values[f"median_{name}_ms"] = float(np.median(column))
        for percentile in (50, 90, 99):
            values[f"p{percentile}_{name}_ms"] = float(np.percentile(column, percentile))
    return values


def _total(requests: pa.Table, column: str) -> int:
    return sum(requests[column].to_pylist())
