"""The cells that do not count, and what the gates found that they failed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from burstlab.collections.places import record_of
from burstlab.records.cell_record import MEASURED
from burstlab.report.provenance import read_raw

ROWS_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed gate, and its message with figure and limit; empty where the record has none."""

    gate: str
    message: str


@dataclass(frozen=True, slots=True)
class Row:
    """An excluded cell; `own` says that it was measured here, and so can be measured again: none of a collection, and none that
    was simulated, which would come out the same.
    """

    cell: str
    evidence: str
    failures: tuple[Failure, ...]
    requests: int
    failed_requests: int
    own: bool


@dataclass(frozen=True, slots=True)
class Excluded:
    """The first excluded cells, and how many there are."""

    rows: tuple[Row, ...]
    total: int

    @property
    def own(self) -> bool:
        """Whether one that is shown can be measured again."""
        return any(row.own for row in self.rows)


def gather(cells: pd.DataFrame, results: Path, collections: Sequence[Path] = ()) -> Excluded:
    """The excluded ones of the table `cells`; what a gate found is read from their records.

    Raises BurstlabError where a record is missing or unreadable.
    """
    excluded = cells[~cells["counted"]]
    return Excluded(tuple(_rows(excluded.head(ROWS_SHOWN), results, collections)), len(excluded))


def _rows(cells: pd.DataFrame, results: Path, collections: Sequence[Path]) -> Iterator[Row]:
    for row in cells.to_dict("records"):
        path = record_of(str(row["cell"]), results, collections)
        found = _failed(read_raw(path))
        names = [name for name in str(row["failed_gates"]).split(",") if name]
        yield Row(
            cell=str(row["cell"]),
            evidence=str(row["evidence"]),
            failures=tuple(Failure(name, found.get(name, "")) for name in names),
            requests=int(row["requests"]),
            failed_requests=int(row["failed_requests"]),
            own=path.is_relative_to(results) and row["evidence"] == MEASURED,
        )


def _failed(record: Mapping[str, Any]) -> dict[str, str]:
    return {
        str(gate["name"]): _told(gate) for gate in record.get("gates") or () if gate.get("passed") is False
    }


def _told(gate: Mapping[str, Any]) -> str:
    """The message; most have the limit in it."""
    message, limit = str(gate.get("message") or ""), gate.get("limit")
    return message if limit is None or "limit" in message else f"{message}, limit {limit:g}".lstrip(", ")
