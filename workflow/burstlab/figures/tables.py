"""The study tables, read no further than a figure needs."""

from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.figures.registry import Group

IDENTITY = ["cell", "rate", "arrivals", "burstiness", "cv", "seed", "evidence", "counted", "failed_gates"]
"""What every row that stands for a cell says of it."""
_GROUP = ("platform", "model", "engine", "workload")


class Tables:
    """The study tables of one folder: cells, requests, iterations, of profiled runs interference and breakdown, and
    the simulated regimes.

    Of those that not every study has, the ones `left_out` are another study's, should they lie there.
    """

    def __init__(self, folder: Path, left_out: Collection[str] = ()) -> None:
        self.folder = folder
        self._left_out = frozenset(left_out)
        self._runs: dict[str, pd.DataFrame] = {}
        self._row_groups: dict[str, list[tuple[str | None, str | None]]] = {}

    @cached_property
    def cells(self) -> pd.DataFrame:
        """All cells, in order of group, rate, arrivals and seed."""
        frame = _to_pandas(pq.read_table(self._path("cells")))
        frame["failed_gates"] = frame["failed_gates"].fillna("").astype(str)
        frame["counted"] = frame["counted"].astype(bool)
        # A column of nulls only arrives as objects; arithmetic wants floats.
        for column in ("burstiness", "cv", "rate"):
            frame[column] = frame[column].astype(float)
        order = ["platform", "model", "engine", "workload", "rate", "cv", "arrivals", "seed", "evidence"]
        return frame.sort_values(order, kind="stable", ignore_index=True)

    def group(self, group: Sequence[str]) -> pd.DataFrame:
        """Cells of one platform, model, engine and workload; possibly none."""
        rows = self._rows_of.get(tuple(group), np.empty(0, dtype=np.intp))
        return self.cells.iloc[rows].reset_index(drop=True)

    @cached_property
    def _rows_of(self) -> dict[Hashable, np.ndarray]:
        """Places of each group's rows in `cells`, found once for all groups."""
        found = self.cells.groupby(list(_GROUP), sort=False).indices
        return {group: np.asarray(rows) for group, rows in found.items()}

    def paced(self, group: Group) -> pd.DataFrame:
        """Cells of a group that have a rate: those that send all at once only measure the capacity."""
        cells = self.group(group)
        return cells[cells["rate"] < float("inf")].reset_index(drop=True)

    def runs(self, table: str, group: Group) -> pd.DataFrame:
        """Rows of a table of profiled runs, `interference` or `breakdown`, that are of one group."""
        if table not in self._runs:
            self._runs[table] = _to_pandas(pq.read_table(self._path(table)))
        frame = self._runs[table]
        for name, value in zip(_GROUP, group, strict=True):
            frame = frame[frame[name] == value]
        return frame.reset_index(drop=True)

    def has(self, table: str) -> bool:
        """Whether the study has a table of this name."""
        return table not in self._left_out and self._path_of(table).is_file()

    def of_study(self, table: str) -> pd.DataFrame:
        """All rows of a table that is of no group, such as `regimes`."""
        return _to_pandas(pq.read_table(self._path(table)))

    def rows(self, table: str, cells: Sequence[str], columns: Sequence[str]) -> pd.DataFrame:
        """Rows of `requests` or `iterations` of the given cells: `cell` and the given columns."""
        path = self._path(table)
        wanted = sorted(set(cells))
        with pq.ParquetFile(path) as file:
            picked = [
                number
                for number, (low, high) in enumerate(self._ranges(table, file))
                if low is None or high is None or any(low <= cell <= high for cell in wanted)
            ]
            rows = file.read_row_groups(picked, columns=["cell", *columns])
        mask = pc.is_in(rows["cell"].cast(pa.string()), value_set=pa.array(wanted, pa.string()))
        frame = _to_pandas(rows.filter(mask))
        return frame.sort_values("cell", kind="stable", ignore_index=True)

    def row_groups(self, table: str, columns: Sequence[str]) -> Iterator[pa.Table]:
        """These columns of all of `requests` or `iterations`, a row group at a time: the whole may not fit into memory."""
        with pq.ParquetFile(self._path(table)) as file:
            for number in range(file.num_row_groups):
                yield file.read_row_group(number, columns=list(columns))

    def _ranges(self, table: str, file: pq.ParquetFile) -> list[tuple[str | None, str | None]]:
        """Least and greatest cell of each row group; row groups end between cells, so few need reading."""
        if table not in self._row_groups:
            metadata = file.metadata
            column = file.schema_arrow.names.index("cell")
            ranges: list[tuple[str | None, str | None]] = []
            for number in range(metadata.num_row_groups):
                chunk = metadata.row_group(number)
                statistics = chunk.column(column).statistics
                if chunk.num_rows == 0:
                    ranges.append(("", ""))
                elif statistics is not None and statistics.has_min_max:
                    ranges.append((str(statistics.min), str(statistics.max)))
                else:
                    ranges.append((None, None))
            self._row_groups[table] = ranges
        return self._row_groups[table]

    def _path_of(self, table: str) -> Path:
        return self.folder / f"{table}.parquet"

    def _path(self, table: str) -> Path:
        path = self._path_of(table)
        if not path.is_file():
            raise BurstlabError(f"{path}: no such study table; a run of the study builds it from its cells")
        return path


def _to_pandas(table: pa.Table) -> pd.DataFrame:
    """A frame of plain strings and numbers, whatever encoding the file chose."""
    for number, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            plain = table[field.name].cast(field.type.value_type)
            table = table.set_column(number, field.name, plain)
    frame: pd.DataFrame = table.to_pandas()
    return frame
