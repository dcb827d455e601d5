"""Groups of rows in a fixed order."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd


def rows_by(frame: pd.DataFrame, columns: Sequence[str]) -> Iterator[tuple[tuple[Any, ...], pd.DataFrame]]:
    """The values of the columns and the rows that have them, sorted by the values; null is a value too."""
    yield from frame.groupby(list(columns), sort=True, dropna=False)
