"""An export of nsys as one Arrow file (`nsys export --type arrow`): a stream of Arrow a table, one after another.

Each stream's schema has the name of its table under `table_name` (as version 2022.4 writes it).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa

from burstlab.profiles.nsys.table_source import TableSource

# The first bytes of an Arrow stream.
START = b"\xff\xff\xff\xff"
_NAME = b"table_name"


class ArrowSource(TableSource):
    """See `source.Source`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._places: dict[str, tuple[int, frozenset[str]]] = {}
        with self.telling(path), pa.memory_map(str(path)) as file:
            while (place := file.tell()) < file.size():
                with pa.ipc.open_stream(file) as reader:
                    name = (reader.schema.metadata or {}).get(_NAME, b"").decode()
                    self._places[name] = (place, frozenset(reader.schema.names))
                    for _ in reader:
                        pass

    def tables(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table."""
        return {name: columns for name, (_, columns) in self._places.items()}

    def batches(self, table: str, columns: list[str]) -> Iterator[pa.RecordBatch]:
        """The rows of a table, of some columns."""
        with self.telling(self.path), pa.memory_map(str(self.path)) as file:
            file.seek(self._places[table][0])
            with pa.ipc.open_stream(file) as reader:
                for batch in reader:
                    yield batch.select(columns)
