"""An export of nsys as a folder of Parquet or Arrow files, one a table (`nsys export --type parquetdir` or `arrowdir`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from burstlab.profiles.nsys.table_source import TableSource

SUFFIXES = (".parquet", ".arrow")
ROWS = 1 << 18


class FolderSource(TableSource):
    """See `source.Source`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._files = {file.stem: file for file in sorted(path.iterdir()) if file.suffix in SUFFIXES}

    def tables(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table."""
        found = {}
        for name, file in self._files.items():
            with self.telling(file):
                schema = pq.read_schema(file) if file.suffix == ".parquet" else _arrow(file).schema
                found[name] = frozenset(schema.names)
        return found

    def batches(self, table: str, columns: list[str]) -> Iterator[pa.RecordBatch]:
        """The rows of a table, of some columns."""
        file = self._files[table]
        with self.telling(file):
            if file.suffix == ".parquet":
                with pq.ParquetFile(file) as reader:
                    yield from reader.iter_batches(ROWS, columns=columns)
            else:
                yield from _arrow(file).select(columns).to_batches()


def _arrow(file: Path) -> pa.Table:
    with pa.memory_map(str(file)) as source:
        try:
            return pa.ipc.open_file(source).read_all()
        except pa.ArrowInvalid:
            source.seek(0)
            return pa.ipc.open_stream(source).read_all()
