"""The simulator's time: whole picoseconds.

Integers add up to the same sum in any order, so that many iterations taken at once end at exactly the same instant as the same
iterations taken one by one, and the same inputs give the same bytes on any machine. 2^63 ps are 106 days.
"""

from __future__ import annotations

import numpy as np

PS_PER_S = 10**12
PS_PER_MS = 10**9
PS_PER_US = 10**6


def ps_from_ms(milliseconds: float) -> int:
    """The nearest whole number of picoseconds."""
    return round(milliseconds * PS_PER_MS)


def ps_from_s(seconds: np.ndarray) -> np.ndarray:
    """The nearest whole numbers of picoseconds, int64, of the same shape."""
    return np.rint(np.asarray(seconds, dtype=np.float64) * PS_PER_S).astype(np.int64)


def ms_from_ps(picoseconds: np.ndarray) -> np.ndarray:
    """Milliseconds as floats, of the same shape."""
    return np.asarray(picoseconds, dtype=np.int64) / PS_PER_MS
