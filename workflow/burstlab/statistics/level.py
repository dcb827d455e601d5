"""The level of a latency, or of its quantile, over runs."""

from collections.abc import Sequence

import numpy as np

from burstlab.statistics.interval import Interval
from burstlab.statistics.student import mean_interval


def level_interval(values: Sequence[float] | np.ndarray, confidence: float = 0.95) -> Interval | None:
    """The geometric mean of one positive value a run, with its interval; None below two runs, or where one is not above 0.

    The value may be a mean, a median or a percentile of the run's requests: as the run is the unit, their correlation
    within it does no harm. Student's interval on the logs, since runs at the edge of saturation are several times slower
    than others and the plain interval then misses too often.
    """
    sample = np.asarray(values, float)
    if not (sample > 0).all():
        return None
    logs = mean_interval(np.log(sample), confidence)
    if logs is None:
        return None
    estimate, low, high = (float(value) for value in np.exp([logs.estimate, logs.low, logs.high]))
    return Interval(estimate, low, high, logs.units, "Student's t on logs over runs")
