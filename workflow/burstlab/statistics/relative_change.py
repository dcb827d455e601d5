"""The relative change between two conditions with the same seeds."""

import math
from collections.abc import Mapping

import numpy as np

from burstlab.statistics.interval import Interval
from burstlab.statistics.pairing import paired_values
from burstlab.statistics.student import mean_interval, mean_p_value


def log_ratios(before: Mapping[int, float], after: Mapping[int, float]) -> np.ndarray:
    """ln(after/before) of each shared seed, shape (pairs,); seeds without two positive values are left out."""
    old, new = paired_values(before, after)
    usable = (old > 0) & (new > 0)
    ratios: np.ndarray = np.log(new[usable] / old[usable])
    return ratios


def relative_change(
    before: Mapping[int, float], after: Mapping[int, float], confidence: float = 0.95
) -> Interval | None:
    """after/before − 1 as a fraction: of the geometric mean over shared seeds, with its interval; None below two pairs.

    Student's interval on the log ratios, carried back by exp. Latencies multiply rather than add, so their log ratios
    are closer to normal than their differences, and the interval can never say "fell by more than all of it".
    """
    return from_log(mean_interval(log_ratios(before, after), confidence))


def from_log(found: Interval | None) -> Interval | None:
    """An interval of a log ratio as one of a relative change."""
    if found is None:
        return None
    estimate, low, high = (_expm1(value) for value in (found.estimate, found.low, found.high))
    return Interval(estimate, low, high, found.units, "Student's t on log ratios of paired seeds")


def change_p_value(before: Mapping[int, float], after: Mapping[int, float]) -> float | None:
    """Two-sided p-value of "the ratio is 1"; it agrees with the interval."""
    return mean_p_value(log_ratios(before, after))


def _expm1(value: float) -> float:
    return math.expm1(value) if value < 700 else math.inf
