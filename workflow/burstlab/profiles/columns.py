"""Columns of a table from numpy arrays in which `NONE` stands for what is not there."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from burstlab.profiles.raw import NONE


def nullable(values: np.ndarray) -> pa.Array:
    """The values, null where they are `NONE`."""
    missing = values == NONE
    return pa.array(values, mask=missing) if missing.any() else pa.array(values)


def words(numbers: np.ndarray, known: Sequence[str | None]) -> pa.DictionaryArray:
    """The words that the numbers stand for, null for `NONE`."""
    return pa.DictionaryArray.from_arrays(nullable(numbers), pa.array(known, pa.string()))
