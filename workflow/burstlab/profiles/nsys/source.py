"""What the reader of nsys exports asks of one, whichever format it has."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np

# Three columns that are one size stand together; `grid.pack` makes one number of them.
Column = str | tuple[str, str, str]
# What an export leaves empty, in the arrays that a source gives.
MISSING = -1
NVTX = "NVTX_EVENTS"
STRINGS = "StringIds"
# NvtxPushPopRange and NvtxStartEndRange ("SQLite Schema Reference", NVTX event type values).
NVTX_RANGES = (59, 60)


class Source(Protocol):
    """An export of nsys: tables of rows. Reading raises BurstlabError, which names the file."""

    path: Path

    def tables(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table there is; nsys makes only tables that have rows."""

    def rows(self, table: str, columns: Mapping[str, Column]) -> Iterator[dict[str, np.ndarray]]:
        """The rows of a table in parts: each column an int64 array under the name given, `MISSING` where it is empty."""

    def strings(self, ids: Collection[int]) -> dict[int, str]:
        """The strings of StringIds with these ids."""

    def ranges(self, prefixes: Sequence[str]) -> list[tuple[int, int, int, str]]:
        """NVTX ranges whose text begins with one of the prefixes: global thread id, start, end, text."""
