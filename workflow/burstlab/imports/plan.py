"""Was a benchmark sent as a seed would have planned it? Files of `vllm bench serve` do not say their seed."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from burstlab.arrivals.gamma import planned_send_s

SEEDS_TRIED = 100
FEWEST_REQUESTS = 20
# Seeds that are not the right one lie at one distance from the start times, the right one far below it.
CLEARLY_NEARER = 0.2


def distance_s(start_times_s: np.ndarray, plan_s: np.ndarray) -> float:
    """How far apart starts and plan are, in seconds: the median of |lateness − median lateness|.

    Both have shape (requests,). A common shift, which is where the clock started, counts for nothing.
    """
    late_s = start_times_s - plan_s
    return float(np.median(np.abs(late_s - np.median(late_s))))


def seed_of(
    start_times_s: Sequence[float] | np.ndarray,
    rate_per_s: float,
    burstiness: float,
    named: int | None = None,
) -> int | None:
    """The seed whose gamma arrivals the start times follow: `named` or one of 0 to 99; None when none does.

    A start time of 0 is of a request that was never sent, and is left out. A seed is found when its plan is
    five times nearer to the starts than that of any other. None, too, where the seed leaves no trace:
    rate inf, burstiness inf, fewer than 20 requests.
    """
    starts = np.asarray(start_times_s, dtype=np.float64)
    sent = starts > 0
    if math.isinf(rate_per_s) or math.isinf(burstiness) or sent.sum() < FEWEST_REQUESTS:
        return None
    seeds = sorted({*range(SEEDS_TRIED), *([] if named is None else [named])})
    plans = [planned_send_s(starts.size, rate_per_s, burstiness, seed) for seed in seeds]
    distances = [distance_s(starts[sent], plan[sent]) for plan in plans]
    nearest = int(np.argmin(distances))
    clear = distances[nearest] < CLEARLY_NEARER * sorted(distances)[1]
    return seeds[nearest] if clear else None


def punctual_start_s(start_times_s: np.ndarray, plan_s: np.ndarray) -> float:
    """When the run began on the client's clock, taking the least late request as punctual.

    So lateness is relative to that request: the client's own, constant part of it cannot be known afterwards.
    """
    sent = start_times_s > 0
    return float((start_times_s[sent] - plan_s[sent]).min()) if sent.any() else 0.0
