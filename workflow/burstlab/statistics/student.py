"""Student's interval and test for a mean over seeds."""

import math
from collections.abc import Sequence

import numpy as np

from burstlab.statistics.interval import Interval


def mean_interval(values: Sequence[float] | np.ndarray, confidence: float = 0.95) -> Interval | None:
    """mean ± t(n−1)·s/√n of one value a seed; None for fewer than two values.

    It takes the values as independent and about normal. A difference or a log ratio of paired seeds is nearly symmetric
    even where latencies are skewed, so it holds there with as few as five seeds (docs/validity.md has the
    coverage).
    """
    sample = np.asarray(values, float)
    n = len(sample)
    if n < 2:
        return None
    mean = float(sample.mean())
    half = t_quantile(confidence, n - 1) * float(sample.std(ddof=1)) / math.sqrt(n)
    return Interval(mean, mean - half, mean + half, n, "Student's t over seeds")


def mean_p_value(values: Sequence[float] | np.ndarray) -> float | None:
    """Two-sided p-value of "the mean is 0", by Student's t; None for fewer than two values.

    It agrees with `mean_interval`: below 0.05 exactly where the 95% interval excludes 0.
    """
    from scipy.special import stdtr

    sample = np.asarray(values, float)
    n = len(sample)
    if n < 2:
        return None
    mean, error = float(sample.mean()), float(sample.std(ddof=1)) / math.sqrt(n)
    if error == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * stdtr(n - 1, -abs(mean / error)))


def t_quantile(confidence: float, degrees: int) -> float:
    """The factor of a two-sided interval of this confidence."""
    from scipy.special import stdtrit  # imported late: scipy costs a second that most callers never need

    return float(stdtrit(degrees, 0.5 + confidence / 2))
