"""Dropping rows, one reason after the other, and counting."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from burstlab.errors import BurstlabError

MOST_TIME = 1e12
"""Larger than any time of a trace, in seconds or milliseconds, since 1970 or since its start."""


@dataclass(slots=True)
class Sieve:
    """A table that shrinks. A row with several faults counts under the first that is asked for."""

    table: pa.Table
    dropped: dict[str, int] = field(default_factory=dict)

    def drop(self, reason: str, bad: pa.ChunkedArray) -> None:
        """Drop the rows where `bad` is true; null counts as true. Reasons without rows are not recorded."""
        good = pc.invert(pc.fill_null(bad, True))
        kept = self.table.filter(good)
        if kept.num_rows < self.table.num_rows:
            self.dropped[reason] = self.table.num_rows - kept.num_rows
        self.table = kept

    def drop_no_times(self, column: str) -> None:
        """Drop the rows whose time in `column` is not finite, or so large that 100 ns are nothing beside it."""
        finite = pc.is_finite(self.table[column])
        self.drop(f"{column} not finite", pc.invert(finite))
        self.drop(f"{column} beyond {MOST_TIME:.0e}", pc.greater(pc.abs(self.table[column]), MOST_TIME))

    def drop_nulls(self, *columns: str) -> None:
        """Drop the rows that lack a value in one of `columns`."""
        for column in columns:
            self.drop(f"no {column}", pc.is_null(self.table[column]))

    def require_rows(self, path: Path) -> None:
        """Raise BurstlabError if nothing is left."""
        if self.table.num_rows == 0:
            why = ", ".join(f"{reason}: {rows}" for reason, rows in self.dropped.items()) or "it has no rows"
            raise BurstlabError(f"{path} holds no usable row ({why})")
