"""What exports of nsys in Parquet and Arrow have in common: tables that come in batches of columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from burstlab.errors import BurstlabError
from burstlab.profiles.grid import pack
from burstlab.profiles.nsys.source import MISSING, NVTX, NVTX_RANGES, STRINGS, Column

# nsys 2022.4 writes texts to Arrow as bytes.
_TEXTS = (pa.types.is_string, pa.types.is_large_string, pa.types.is_binary, pa.types.is_large_binary)


class TableSource(ABC):
    """See `source.Source`; a subclass says which tables there are, and gives their batches."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._invented: dict[str, int] = {}

    @abstractmethod
    def tables(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table."""

    @abstractmethod
    def batches(self, table: str, columns: list[str]) -> Iterator[pa.RecordBatch]:
        """The rows of a table, of some columns."""

    def rows(self, table: str, columns: Mapping[str, Column]) -> Iterator[dict[str, np.ndarray]]:
        """The rows in the parts in which the file has them."""
        names = [
            name for column in columns.values() for name in ([column] if isinstance(column, str) else column)
        ]
        for batch in self.batches(table, names):
            with self.telling(self.path):
                yield {name: self._values(batch, column) for name, column in columns.items()}

    def strings(self, ids: Collection[int]) -> dict[int, str]:
        """The strings with these ids."""
        found = {number: text for text, number in self._invented.items()}
        if STRINGS not in self.tables():
            return found
        wanted = pa.array(sorted(ids), pa.int64())
        for batch in self.batches(STRINGS, ["id", "value"]):
            some = batch.filter(pc.is_in(batch["id"].cast(pa.int64()), wanted))
            found |= _id_to_text(some)
        return found

    def ranges(self, prefixes: Sequence[str]) -> list[tuple[int, int, int, str]]:
        """NVTX ranges whose text begins with one of the prefixes."""
        columns = self.tables()[NVTX]
        names = self._names(prefixes) if "textId" in columns else {}
        optional = [name for name in ("text", "textId", "eventType") if name in columns]
        found = []
        for batch in self.batches(NVTX, ["globalTid", "start", "end", *optional]):
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
                text = names.get(row.get("textId")) or _text(row["text"])
                found.append((row["globalTid"], row["start"], row["end"], text))
        return found

    @contextmanager
    def telling(self, file: Path) -> Iterator[None]:
        """Errors of Arrow as ones that name the file."""
        try:
            yield
        except (pa.ArrowException, OSError, KeyError) as error:
            raise BurstlabError(f"{file}: cannot be read as a table of nsys: {error}") from error

    def _names(self, prefixes: Sequence[str]) -> dict[int, str]:
        found: dict[int, str] = {}
        for batch in self.batches(STRINGS, ["id", "value"]) if STRINGS in self.tables() else ():
            for prefix in prefixes:
                some = batch.filter(pc.starts_with(batch["value"].cast(pa.string()), prefix))
                found |= _id_to_text(some)
        return found

    def _values(self, batch: pa.RecordBatch, column: Column) -> np.ndarray:
        if not isinstance(column, str):
            x, y, z = (self._values(batch, name) for name in column)
            return np.where((x < 0) | (y < 0) | (z < 0), MISSING, pack(x, y, z))
        array = batch[column]
        if any(is_text(array.type) for is_text in _TEXTS):
            return self._numbered(array.cast(pa.string()))
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


def _id_to_text(strings: pa.RecordBatch) -> dict[int, str]:
    pairs = zip(strings["id"].to_pylist(), strings["value"].cast(pa.string()).to_pylist(), strict=True)
    return {number: text for number, text in pairs if text is not None}


def _text(value: str | bytes) -> str:
    return value.decode() if isinstance(value, bytes) else value
