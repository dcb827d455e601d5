"""An export of nsys as a folder of Parquet or Arrow files, one a table (`nsys export --type parquetdir` or `arrowdir`)."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.profiles.grid import pack
from burstlab.profiles.nsys.source import MISSING, NVTX, NVTX_RANGES, STRINGS, Column

SUFFIXES = (".parquet", ".arrow")
ROWS = 1 << 18


class FolderSource:
    """See `source.Source`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._files = {file.stem: file for file in sorted(path.iterdir()) if file.suffix in SUFFIXES}
        self._invented: dict[str, int] = {}

    def tables(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table."""
        found = {}
        for name, file in self._files.items():
            with self._telling(file):
                schema = pq.read_schema(file) if file.suffix == ".parquet" else _arrow(file).schema
                found[name] = frozenset(schema.names)
        return found

    def rows(self, table: str, columns: Mapping[str, Column]) -> Iterator[dict[str, np.ndarray]]:
        """The rows in the parts in which the file has them."""
        names = [
            name for column in columns.values() for name in ([column] if isinstance(column, str) else column)
        ]
        for batch in self._batches(table, names):
            yield {name: self._values(table, batch, column) for name, column in columns.items()}

    def strings(self, ids: Collection[int]) -> dict[int, str]:
        """The strings with these ids."""
        found = {number: text for text, number in self._invented.items()}
        if STRINGS not in self._files:
            return found
        wanted = pa.array(sorted(ids), pa.int64())
        for batch in self._batches(STRINGS, ["id", "value"]):
            some = batch.filter(pc.is_in(batch["id"].cast(pa.int64()), wanted))
            found |= dict(zip(some["id"].to_pylist(), some["value"].to_pylist(), strict=True))
        return found

    def ranges(self, prefixes: Sequence[str]) -> list[tuple[int, int, int, str]]:
        """NVTX ranges whose text begins with one of the prefixes."""
        columns = self.tables()[NVTX]
        names = self._names(prefixes) if "textId" in columns else {}
        optional = [name for name in ("text", "textId", "eventType") if name in columns]
        found = []
        for batch in self._batches(NVTX, ["globalTid", "start", "end", *optional]):
            keep = pc.is_valid(batch["end"])
            if "eventType" in columns:
                keep = pc.and_(keep, pc.is_in(batch["eventType"].cast(pa.int64()), pa.array(NVTX_RANGES)))
            named = pa.array(np.zeros(batch.num_rows, bool))
            if "textId" in columns:
                ids = pa.array(list(names), pa.int64())
                named = pc.or_(named, pc.is_in(batch["textId"].cast(pa.int64()), ids))
            if "text" in columns:
                for prefix in prefixes:
                    starts = pc.starts_with(batch["text"].cast(pa.string()), prefix)
                    named = pc.or_(named, pc.fill_null(starts, False))
            for row in batch.filter(pc.and_(keep, named)).to_pylist():
                text = names.get(row.get("textId")) or row["text"]
                found.append((row["globalTid"], row["start"], row["end"], text))
        return found

    def _names(self, prefixes: Sequence[str]) -> dict[int, str]:
        found: dict[int, str] = {}
        for batch in self._batches(STRINGS, ["id", "value"]) if STRINGS in self._files else ():
            for prefix in prefixes:
                some = batch.filter(pc.starts_with(batch["value"], prefix))
                found |= dict(zip(some["id"].to_pylist(), some["value"].to_pylist(), strict=True))
        return found

    def _batches(self, table: str, columns: list[str]) -> Iterator[pa.RecordBatch]:
        file = self._files[table]
        with self._telling(file):
            if file.suffix == ".parquet":
                with pq.ParquetFile(file) as reader:
                    yield from reader.iter_batches(ROWS, columns=columns)
            else:
                yield from _arrow(file).select(columns).to_batches()

    def _values(self, table: str, batch: pa.RecordBatch, column: Column) -> np.ndarray:
        if not isinstance(column, str):
            x, y, z = (self._values(table, batch, name) for name in column)
            return np.where((x < 0) | (y < 0) | (z < 0), MISSING, pack(x, y, z))
        array = batch[column]
        if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
            return self._numbered(array)
        with self._telling(self._files[table]):
            numbers: np.ndarray = pc.fill_null(array.cast(pa.int64()), MISSING).to_numpy()
        return numbers

    def _numbered(self, array: pa.Array) -> np.ndarray:
        """Names that stand in the table itself get ids below those of StringIds."""
        encoded = array.dictionary_encode()
        ids = [
            self._invented.setdefault(word, MISSING - 1 - len(self._invented))
            for word in encoded.dictionary.to_pylist()
        ]
        numbers: np.ndarray = np.array([*ids, MISSING])[pc.fill_null(encoded.indices, -1).to_numpy()]
        return numbers

    @contextmanager
    def _telling(self, file: Path) -> Iterator[None]:
        try:
            yield
        except (pa.ArrowException, OSError, KeyError) as error:
            raise BurstlabError(f"{file}: cannot be read as a table of nsys: {error}") from error


def _arrow(file: Path) -> pa.Table:
    with pa.memory_map(str(file)) as source:
        try:
            return pa.ipc.open_file(source).read_all()
        except pa.ArrowInvalid:
            source.seek(0)
            return pa.ipc.open_stream(source).read_all()
