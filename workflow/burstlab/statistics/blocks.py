"""A quantile within one run, by blocks."""

import math

import numpy as np

from burstlab.statistics.interval import Interval
from burstlab.statistics.student import t_quantile

RESAMPLES = 2000


def block_quantile_interval(
    values: np.ndarray,
    q: float,
    block: int | None = None,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval | None:
    """The `q` quantile of one run's requests, given in the order of sending; None below four blocks.

    Neighbours share a queue, so blocks of `block` neighbours are drawn, round the end (circular block bootstrap, Politis
    and Romano 1992). The standard error of what is drawn is widened by √(m/(m−1)) and Student's t(m−1), as m blocks are few; on
    the log scale where all values are positive. The default length is 4·n^(1/2). It says what the run's own requests leave
    open, and nothing of what another seed would have done: to compare conditions use several seeds.
    """
    sample = np.asarray(values, float)
    n = len(sample)
    length = block or max(1, round(4 * n**0.5))
    count = n // length
    if count < 4:
        return None
    starts = np.random.default_rng(seed).integers(n, size=(resamples, count))
    picked = (starts[:, :, None] + np.arange(length)) % n
    drawn = np.quantile(sample[picked.reshape(resamples, -1)], q, axis=1)
    estimate = float(np.quantile(sample, q))
    positive = bool((sample > 0).all())
    spread = float((np.log(drawn) if positive else drawn).std())
    half = t_quantile(confidence, count - 1) * spread * math.sqrt(count / (count - 1))
    low, high = (
        (estimate * math.exp(-half), estimate * math.exp(half))
        if positive
        else (estimate - half, estimate + half)
    )
    return Interval(estimate, low, high, count, "block bootstrap within a run")
