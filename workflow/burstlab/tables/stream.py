"""Writing a table that is larger than memory should be, cell by cell."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 65_536


class CellStream:
    """A Parquet file of the rows of many cells, each with `cell` and `evidence` in front.

    Row groups have about `ROWS` rows and end where a cell ends, so a reader of a few cells reads few of
    them. The file appears under its name when the stream is closed without an error; until then there is
    none, or the old one.
    """

    def __init__(self, path: Path, schema: pa.Schema) -> None:
        self.schema = pa.schema(
            [
                pa.field("cell", pa.string(), nullable=False),
                pa.field("evidence", pa.string(), nullable=False),
                *schema,
            ]
        )
        self._path = path
        self._tables: list[pa.Table] = []
        self._labels: list[tuple[str, str]] = []
        self._rows = 0

    def add(self, cell: str, evidence: str, table: pa.Table) -> None:
        """Append the rows of a cell."""
        self._tables.append(table)
        self._labels.append((cell, evidence))
        self._rows += table.num_rows
        if self._rows >= ROWS:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            lengths = np.array([table.num_rows for table in self._tables])
            which = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
            labels = [
                pa.DictionaryArray.from_arrays(which, pa.array(values, pa.string())).cast(pa.string())
                for values in zip(*self._labels, strict=True)
            ]
            columns = pa.concat_tables(self._tables).columns
            self._writer.write_table(
                pa.table([*labels, *columns], schema=self.schema), row_group_size=self._rows
            )
        self._tables, self._labels, self._rows = [], [], 0

    def __enter__(self) -> Self:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._temporary = self._path.with_name(f".{self._path.name}.{os.getpid()}.part")
        self._writer = pq.ParquetWriter(self._temporary, self.schema, compression="zstd")
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._flush()
            self._writer.close()
            if kind is None:
                self._temporary.replace(self._path)
        finally:
            self._temporary.unlink(missing_ok=True)
