"""How much longer a session will take: the arrivals of the cells that are left, and what the last cells took beyond theirs."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from statistics import median

from burstlab.study.cells import Cell

# Of one session, so that a slow cell does not count for long.
LAST_CELLS = 5


def arrivals_s(requests: int, rate_per_s: float) -> float:
    """Seconds over which so many requests arrive; 0 where all are sent at once."""
    return 0.0 if math.isinf(rate_per_s) else requests / rate_per_s


class Remaining:
    """The time left of a session whose cells' arrivals take `planned_s` each."""

    def __init__(self, planned_s: Mapping[Cell, float]) -> None:
        self._left = dict(planned_s)
        self._beyond_s: deque[float] = deque(maxlen=LAST_CELLS)

    def finished(self, cell: Cell, wall_s: float) -> None:
        """The cell took `wall_s` seconds."""
        self._beyond_s.append(wall_s - self._left.pop(cell, 0.0))

    def failed(self, cell: Cell) -> None:
        """The cell is over, and tells nothing of the others."""
        self._left.pop(cell, None)

    def estimate_s(self) -> float | None:
        """Seconds until the last cell is measured; None before the first one is, and after the last."""
        if not self._left or not self._beyond_s:
            return None
        return max(0.0, sum(self._left.values()) + len(self._left) * median(self._beyond_s))


def about(seconds: float) -> str:
    """A time as one would say it: about 40 s, about 12 min, about 2 h 5 min."""
    if seconds < 90:
        return f"about {10 * math.ceil(seconds / 10)} s"
    minutes = math.ceil(seconds / 60)
    if minutes < 90:
        return f"about {minutes} min"
    return f"about {minutes // 60} h {minutes % 60} min"
