"""How late the client was, split at the moment its schedule let a request go."""

from collections.abc import Sequence

import numpy as np

from burstlab.bench.requests_table import Bench
from burstlab.records.observed import ClientDelays, Quantiles


def client_delays(
    bench: Bench, planned_send_s: np.ndarray, start_clock_s: float, released_clock_s: Sequence[float]
) -> ClientDelays | None:
    """Schedule slip and start delay over the requests that were sent; None if none was, or if the client told no times.

    `planned_send_s` counts from `start_clock_s`; `released_clock_s` and the start times of `bench` are on the client's
    clock, in seconds, an item a request.
    """
    started = np.asarray(bench.start_times, dtype=float)
    sent = started > 0  # a request that failed before it was sent has no start time
    if len(released_clock_s) != started.size or not sent.any():
        return None
    released = np.asarray(released_clock_s, dtype=float)
    slip_s = released - start_clock_s - np.asarray(planned_send_s, dtype=float)
    return ClientDelays(
        schedule_slip=_quantiles(slip_s[sent]), start_delay=_quantiles((started - released)[sent])
    )


def _quantiles(seconds: np.ndarray) -> Quantiles:
    p50, p99, largest = (float(value) * 1000 for value in np.percentile(seconds, (50, 99, 100)))
    return Quantiles(p50_ms=p50, p99_ms=p99, max_ms=largest)
