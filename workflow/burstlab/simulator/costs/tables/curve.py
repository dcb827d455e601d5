"""A measured curve, straight between its points."""

from __future__ import annotations

import numpy as np

from burstlab.errors import BurstlabError


class Curve:
    """Durations in ms at ascending sizes. They are made to rise: where a larger size was faster, the smaller one's time holds.

    Beyond its ends the curve goes on with its last slope; before them with its first point.
    """

    def __init__(self, sizes: np.ndarray, durations_ms: np.ndarray) -> None:
        order = np.argsort(sizes, kind="stable")
        self.sizes = np.asarray(sizes, dtype=float)[order]
        self.durations_ms = np.maximum.accumulate(np.asarray(durations_ms, dtype=float)[order])
        if (
            len(self.sizes) < 2
            or (np.diff(self.sizes) <= 0).any()
            or not np.isfinite(self.durations_ms).all()
        ):
            raise BurstlabError("a measured curve needs two sizes or more, each once, with a duration")

    def at(self, size: float) -> float:
        """Duration in ms."""
        if size <= self.sizes[0]:
            return float(self.durations_ms[0])
        place = min(int(np.searchsorted(self.sizes, size)), len(self.sizes) - 1)
        slope = (self.durations_ms[place] - self.durations_ms[place - 1]) / (
            self.sizes[place] - self.sizes[place - 1]
        )
        return float(self.durations_ms[place] + slope * (size - self.sizes[place]))


class Surface:
    """Curves at ascending levels of a second size, straight between them too."""

    def __init__(self, curves: dict[float, Curve]) -> None:
        self.levels = sorted(curves)
        self._curves = curves
        if not self.levels:
            raise BurstlabError("a measured surface needs a curve")

    def at(self, size: float, level: float) -> float:
        """Duration in ms; outside of its levels that of the nearest."""
        level = min(max(level, self.levels[0]), self.levels[-1])
        above = next(known for known in self.levels if known >= level)
        high_ms = self._curves[above].at(size)
        if above == level:
            return high_ms
        below = max(known for known in self.levels if known < level)
        low_ms = self._curves[below].at(size)
        return low_ms + (high_ms - low_ms) * (level - below) / (above - below)
