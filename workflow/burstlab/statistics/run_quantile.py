"""A quantile of requests that come in runs."""

import math
from collections.abc import Sequence

import numpy as np

from burstlab.statistics.interval import Interval
from burstlab.statistics.student import t_quantile

RESAMPLES = 1000
_CHUNK = 4_000_000


def run_quantile_interval(
    runs: Sequence[np.ndarray], q: float, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> Interval | None:
    """The `q` quantile of the pooled requests of several runs, with its interval; None below two runs.

    Requests of one run share a queue and are correlated, so whole runs are drawn (a cluster bootstrap); drawing single
    requests gives intervals several times too narrow. The standard error that the runs drawn give is widened by
    √(n/(n−1)) and Student's t(n−1), for n runs are few (Cameron, Gelbach and Miller, "Bootstrap-Based Improvements
    for Inference with Clustered Errors", 2008, on why few clusters need it). On the log scale where all values
    are positive.
    """
    arrays = [np.asarray(run, float) for run in runs if len(run)]
    n = len(arrays)
    if n < 2:
        return None
    estimate = float(_weighted(arrays, q, np.ones((1, n)))[0])
    weights = np.random.default_rng(seed).multinomial(n, np.full(n, 1 / n), size=resamples)
    drawn = _weighted(arrays, q, weights)
    positive = min(run.min() for run in arrays) > 0
    scaled = np.log(drawn) if positive else drawn
    half = t_quantile(confidence, n - 1) * float(scaled.std()) * math.sqrt(n / (n - 1))
    if positive:
        low, high = estimate * math.exp(-half), estimate * math.exp(min(half, 700.0))
    else:
        low, high = estimate - half, estimate + half
    return Interval(estimate, low, high, n, "cluster bootstrap over runs")


def _weighted(runs: Sequence[np.ndarray], q: float, weights: np.ndarray) -> np.ndarray:
    """The `q` quantile for each row of weights, shape (rows, runs) → (rows,): the least value that a share `q` is at or below."""
    values = np.concatenate(runs)
    owner = np.repeat(np.arange(len(runs)), [len(run) for run in runs])
    order = np.argsort(values, kind="stable")
    values, owner = values[order], owner[order]
    lengths = np.array([len(run) for run in runs])
    rows = max(1, _CHUNK // len(values))
    found = []
    for start in range(0, len(weights), rows):
        some = weights[start : start + rows]
        below = np.cumsum(some[:, owner], axis=1)
        wanted = q * (some @ lengths) - 1e-9
        found.append(values[np.argmax(below >= wanted[:, None], axis=1)])
    return np.concatenate(found)
