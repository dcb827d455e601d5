"""Reading and writing JSON arrays, and writing CSV, without holding a whole file as one object or string."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, TextIO

import pyarrow as pa
import pyarrow.csv as pacsv

from burstlab.errors import BurstlabError

_CHUNK_CHARACTERS = 1 << 22
_SPACE = " \t\n\r"


@contextlib.contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """A file to write, which becomes `path` when the block ends well and vanishes when it does not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            yield file
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def write_json_array(path: Path, items: Iterable[object]) -> None:
    """Write `items` as a JSON array with one item a line."""
    with replacing(path) as file:
        separator = b"[\n"
        for item in items:
            file.write(separator + json.dumps(item, ensure_ascii=False).encode())
            separator = b",\n"
        file.write(b"\n]\n" if separator == b",\n" else b"[]\n")


def write_csv(path: Path, table: pa.Table) -> None:
    """Write `table` with a plain header, text in quotes, and floats so that they are read back exactly."""
    with replacing(path) as file:
        file.write((",".join(table.column_names) + "\n").encode())
        # Arrow would put the names into quotes too.
        pacsv.write_csv(table, file, pacsv.WriteOptions(include_header=False))


def read_json_array(path: Path) -> Iterator[object]:
    """The items of the JSON array in `path`, one after the other; raises BurstlabError where it is
    malformed.
    """
    try:
        with path.open(encoding="utf-8-sig") as file:
            yield from _items(path, file)
    except UnicodeDecodeError as error:
        raise BurstlabError(f"{path} is not UTF-8 text: {error}") from error
    except OSError as error:
        raise BurstlabError(f"cannot read {path}: {error}") from error


def _items(path: Path, file: TextIO) -> Iterator[object]:
    window = _Window(path, file)
    if window.next_character() != "[":
        raise window.fault("a JSON array must start with [")
    window.skip()
    first = window.next_character()
    while first != "]":
        yield window.take_value()
        first = window.next_character()
        if first == ",":
            window.skip()
            if window.next_character() == "]":
                raise window.fault("a value must follow the comma")
        elif first != "]":
            raise window.fault("an item must be followed by , or ]")
    window.skip()
    if window.next_character():
        raise window.fault("nothing may follow the array's ]")


def _ends_here(value: object, following: str) -> bool:
    # 7 and .5 of a number that the window cuts are both numbers; strings, lists and objects have an end.
    return not isinstance(value, int | float) or following in (*_SPACE, ",", "]")


class _Window:
    """The part of a file that is being parsed. Positions count characters, for messages."""

    def __init__(self, path: Path, file: TextIO) -> None:
        self._path, self._file = path, file
        self._text, self._at, self._passed = "", 0, 0
        self._decoder = json.JSONDecoder()

    def fault(self, expected: str) -> BurstlabError:
        return BurstlabError(
            f"{self._path} is malformed at character {self._passed + self._at}: {expected}; "
            "it must be a complete JSON array"
        )

    def skip(self) -> None:
        self._at += 1

    def next_character(self) -> str:
        """The next one that is no space, not consumed; empty at the end."""
        while True:
            while self._at < len(self._text) and self._text[self._at] in _SPACE:
                self._at += 1
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._more():
                return ""

    def take_value(self) -> object:
        while True:
            try:
                value, end = self._decoder.raw_decode(self._text, self._at)
            except RecursionError:
                raise self.fault("it is nested too deeply") from None
            except ValueError as error:
                if self._more():
                    continue
                raise self.fault(str(error)) from None
            if _ends_here(value, self._text[end : end + 1]) or not self._more():
                self._at = end
                return value

    def _more(self) -> bool:
        # At least as much again, so that an item far longer than a chunk is not parsed a thousand times.
        rest = self._text[self._at :]
        new = self._file.read(max(_CHUNK_CHARACTERS, len(rest)))
        self._passed += self._at
        self._text, self._at = rest + new, 0
        return bool(new)
