"""An export of nsys as an SQLite database.

SQLite hands rows to Python one by one, which takes half a minute for ten million launches. So SQLite itself joins the
values of a column to one text for many rows (`group_concat`), in two threads side by side, and numpy reads the numbers
in it.
"""

from __future__ import annotations

import sqlite3
from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote

import numpy as np

from burstlab.errors import BurstlabError
from burstlab.profiles.nsys.source import MISSING, NVTX, NVTX_RANGES, STRINGS, Column

ROWS = 1 << 17
_THREADS = 2
_IDS = 500
_MAPPED = 1 << 40


class SqliteSource:
    """See `source.Source`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._tables: dict[str, frozenset[str]] | None = None

    def tables(self) -> Mapping[str, frozenset[str]]:
        """The columns of each table."""
        if self._tables is None:
            names = "SELECT name FROM sqlite_master WHERE type = 'table'"
            with self._open() as database:
                self._tables = {
                    str(name): frozenset(
                        str(row[1]) for row in database.execute(f"PRAGMA table_info({_quoted(name)})")
                    )
                    for (name,) in database.execute(names).fetchall()
                }
        return self._tables

    def rows(self, table: str, columns: Mapping[str, Column]) -> Iterator[dict[str, np.ndarray]]:
        """Parts of up to `ROWS` rows, in the order of the file."""
        with self._open() as database:
            first, last = database.execute(f"SELECT min(rowid), max(rowid) FROM {_quoted(table)}").fetchone()  # noqa: S608
        if first is None:
            return
        waiting: deque[Future[list[np.ndarray]]] = deque()
        with ThreadPoolExecutor(_THREADS) as pool:
            try:
                for start in range(first, last + 1, ROWS):
                    waiting.append(pool.submit(self._part, table, tuple(columns.values()), start))
                    if len(waiting) > _THREADS:
                        yield dict(zip(columns, waiting.popleft().result(), strict=True))
                while waiting:
                    yield dict(zip(columns, waiting.popleft().result(), strict=True))
            finally:
                for future in waiting:
                    future.cancel()

    def strings(self, ids: Collection[int]) -> dict[int, str]:
        """The strings with these ids."""
        wanted = sorted(ids) if STRINGS in self.tables() else []
        found: dict[int, str] = {}
        with self._open() as database:
            for start in range(0, len(wanted), _IDS):
                some = wanted[start : start + _IDS]
                marks = ",".join("?" * len(some))
                query = f"SELECT id, value FROM {STRINGS} WHERE id IN ({marks})"  # noqa: S608 - question marks alone
                rows = database.execute(query, some)
                found |= {number: text for number, text in rows if isinstance(text, str)}
        return found

    def ranges(self, prefixes: Sequence[str]) -> list[tuple[int, int, int, str]]:
        """NVTX ranges whose text begins with one of the prefixes."""
        columns = self.tables()[NVTX]
        patterns = [f"{prefix}*" for prefix in prefixes]

        def fits(what: str) -> str:
            return " OR ".join(f"{what} GLOB ?" for _ in patterns)

        text = "text" if "text" in columns else "NULL"
        with_ids = "textId" in columns and STRINGS in self.tables()
        names = "SELECT 0 AS id, NULL AS value"
        if with_ids:
            names = f"SELECT id, value FROM {STRINGS} WHERE {fits('value')}"  # noqa: S608
        join = "id = textId" if with_ids else "0"
        kinds = f"AND eventType IN {NVTX_RANGES}" if "eventType" in columns else ""
        query = f"""
            WITH names AS ({names})
            SELECT globalTid, start, "end", coalesce(value, {text}) FROM {NVTX} LEFT JOIN names ON {join}
            WHERE (value IS NOT NULL OR {fits(text)}) AND "end" IS NOT NULL {kinds}
        """  # noqa: S608 - names of columns as written here
        values = [*(patterns if with_ids else []), *patterns]
        with self._open() as database:
            return database.execute(query, values).fetchall()

    def _part(self, table: str, columns: Sequence[Column], start: int) -> list[np.ndarray]:
        with self._open(text=bytes) as database:
            # Values alone are faster to join than values or else -1. Empty ones are then left out, which the count tells.
            for join in (_joined, _joined_or_missing):
                values = ", ".join(map(join, columns))
                count, *texts = database.execute(
                    f"SELECT count(*), {values} FROM {_quoted(table)} WHERE rowid BETWEEN ? AND ?",  # noqa: S608
                    (start, start + ROWS - 1),
                ).fetchone()
                try:
                    arrays = [_numbers(text) for text in texts]
                except ValueError as error:
                    raise BurstlabError(
                        f"{self.path}: table {table} has something else than numbers in a column of numbers: {error}"
                    ) from error
                if all(len(array) == count for array in arrays):
                    return arrays
        raise BurstlabError(
            f"{self.path}: table {table} has something else than numbers in a column of numbers"
        )

    @contextmanager
    def _open(self, text: type = str) -> Iterator[sqlite3.Connection]:
        # `immutable` keeps SQLite from looking for a journal, and from writing beside the file.
        address = f"file:{quote(str(self.path.absolute()))}?mode=ro&immutable=1"
        try:
            with closing(sqlite3.connect(address, uri=True)) as database:
                database.text_factory = text
                database.execute(f"PRAGMA mmap_size = {_MAPPED}")
                yield database
        except sqlite3.DatabaseError as error:
            raise BurstlabError(
                f"{self.path}: cannot be read as an SQLite database: {error}; was it copied whole?"
            ) from error


def _joined(column: Column) -> str:
    return f"group_concat({_value(column)})"


def _joined_or_missing(column: Column) -> str:
    return f"group_concat(ifnull({_value(column)}, {MISSING}))"


def _value(column: Column) -> str:
    if isinstance(column, str):
        return _quoted(column)
    x, y, z = map(_quoted, column)
    return f"({x} << 32) | ({y} << 16) | {z}"


def _numbers(text: bytes | None) -> np.ndarray:
    """The numbers of a text, which commas separate; ValueError if there is something else in it."""
    if text is None:
        return np.empty(0, np.int64)
    try:
        return np.fromstring(text, dtype=np.int64, sep=",")
    except DeprecationWarning as warning:  # what it was before it became an error, where warnings are errors
        raise ValueError(str(warning)) from warning


def _quoted(name: str) -> str:
    return '"' + str(name).replace('"', '""') + '"'
