"""A quantile within one run, by blocks."""

import numpy as np

from burstlab.statistics.interval import Interval

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

    Neighbours share a queue, so blocks of `block` neighbours are drawn, round the end (circular block bootstrap, Politis and
    Romano 1992; percentile interval). The default length is 2·n^(1/2). It says what the run's own requests leave open, and
    nothing of what another seed would have done: to compare conditions use several seeds.
    """
    sample = np.asarray(values, float)
    n = len(sample)
    length = block or max(1, round(2 * n**0.5))
    count = n // length
    if count < 4:
        return None
    starts = np.random.default_rng(seed).integers(n, size=(resamples, count))
    picked = (starts[:, :, None] + np.arange(length)) % n
    drawn = np.quantile(sample[picked.reshape(resamples, -1)], q, axis=1)
    estimate = float(np.quantile(sample, q))
    low, high = np.quantile(drawn, [0.5 - confidence / 2, 0.5 + confidence / 2])
    return Interval(estimate, min(float(low), estimate), max(float(high), estimate), count, "block bootstrap")
