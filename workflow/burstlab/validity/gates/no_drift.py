"""The engine ran as fast at the end of the cell as at its start.

Reason: an engine that is still warming up (caches filling, kernels compiled at first use, clocks rising) or one that is
being slowed down makes early and late requests incomparable, and cells that come first differ from those after.

Latencies cannot tell: they move with the arrivals. The cost of the same work can: decode-only iterations of n requests are
compared with others of n requests only. Each one's log time minus the mean of its n is averaged in blocks of the run, six
in the first third and six in the last, since neighbouring iterations are alike (method of batch means; Law, Simulation
Modeling and Analysis, 2015, section 9.5.3); Welch's interval of the difference (1947) is at 99%. A cell fails only if the
whole interval is beyond ±5%, the smallest effect looked for; how often noise alone does that is in docs/validity.md.
"""

import math

import numpy as np
from scipy import stats

from burstlab.iterations.log import DECODE_ONLY
from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.gate import ValidityGate
from burstlab.validity.outcome import decided, not_judged

NAME = "no-drift"
CONFIDENCE = 0.99
MOST_DRIFT = 0.05
BLOCKS = 6
LEAST_IN_BLOCK = 10


def judge(evidence: Evidence) -> Gate:
    """Failed when decode-only iterations of the same size became slower or faster by more than the limit."""
    table = evidence.iterations
    kind = table["kind"].to_numpy(zero_copy_only=False).astype(str)
    chosen = (kind == DECODE_ONLY) & (table["elapsed_ms"].to_numpy() > 0)
    log_ms = np.log(table["elapsed_ms"].to_numpy()[chosen])
    size = table["generation_requests"].to_numpy()[chosen]
    blocks = block_means(same_work(log_ms, size), 3 * BLOCKS)
    if blocks is None:
        return not_judged(
            NAME, f"it takes {3 * BLOCKS * LEAST_IN_BLOCK} decode-only iterations of shared sizes"
        )
    low, high = difference_interval(blocks[:BLOCKS], blocks[-BLOCKS:])
    limit = math.log1p(MOST_DRIFT)
    ok = low <= limit and high >= -limit
    message = (
        f"iterations of the same size took {math.expm1((low + high) / 2):+.1%} from the first to the last third "
        f"({CONFIDENCE:.0%} interval {math.expm1(low):+.1%} to {math.expm1(high):+.1%}), limit {MOST_DRIFT:.0%}"
    )
    return decided(NAME, ok, message, math.expm1((low + high) / 2), MOST_DRIFT)


def same_work(log_ms: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Log times minus the mean of their size, in the order of the run; sizes that come once tell nothing and are left out."""
    _, index, count = np.unique(size, return_inverse=True, return_counts=True)
    if not index.size:
        return log_ms
    mean = np.bincount(index, weights=log_ms) / count
    return np.asarray((log_ms - mean[index])[count[index] > 1])


def block_means(values: np.ndarray, blocks: int) -> np.ndarray | None:
    """Means of so many blocks of equal length; None if they would have fewer than `LEAST_IN_BLOCK` values."""
    length = values.size // blocks
    if length < LEAST_IN_BLOCK:
        return None
    return np.asarray(values[: length * blocks].reshape(blocks, length).mean(axis=1))


def difference_interval(first: np.ndarray, last: np.ndarray) -> tuple[float, float]:
    """Welch's interval at `CONFIDENCE` for mean(last) − mean(first)."""
    centre = float(last.mean() - first.mean())
    if first.std() == last.std() == 0:
        return centre, centre
    interval = stats.ttest_ind(last, first, equal_var=False).confidence_interval(CONFIDENCE)
    return float(interval.low), float(interval.high)


GATE = ValidityGate(NAME, "the iteration log", judge)
