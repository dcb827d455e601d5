"""The greatest of each of many stretches of one list."""

from __future__ import annotations

import numpy as np


def range_maximum(values: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    """max(values[start:end]) for each pair; starts and ends have one shape, and every range has an item.

    A sparse table (Bender and Farach-Colton, "The LCA Problem Revisited", 2000): level k holds the maxima of 2^k items, and
    two of them cover any range. Only one level is kept at a time.
    """
    result = np.empty(len(start), dtype=values.dtype)
    # frexp gives length = m·2^e with 0.5 ≤ m < 1, so e − 1 is the whole part of the logarithm.
    levels = np.frexp((end - start).astype(float))[1] - 1
    level_values = values
    for level in range(int(levels.max(initial=-1)) + 1):
        chosen = np.flatnonzero(levels == level)
        width = 1 << level
        result[chosen] = np.maximum(level_values[start[chosen]], level_values[end[chosen] - width])
        level_values = np.maximum(level_values[:-width], level_values[width:])
    return result
