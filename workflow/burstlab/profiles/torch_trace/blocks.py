"""The events of a Chrome trace, in blocks, so that a trace larger than memory can be read.

torch's profiler writes an object with some settings and `traceEvents`, a list of events, each over several lines
(torch/csrc/profiler and Kineto's libkineto/src/output_json.cpp). Line breaks never stand within a JSON string, so the
lines between two events show where one can be cut, without reading it. Traces that other tools wrote are read event by event.
"""

from __future__ import annotations

import codecs
import gzip
import json
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

from burstlab.errors import BurstlabError

Event = dict[str, Any]
BLOCK = 8 << 20
# What stands between two events; what is nested in one is indented further.
BETWEEN = b"\n  },\n  {"
_END = len(b"\n  }")
_NEXT = len(b"\n  },")
_HEADER = 64 << 20
_GZIP = b"\x1f\x8b"


def blocks(path: Path) -> Iterator[bytes | list[Event]]:
    """Events in blocks: the text of some with commas in between, or a list of events.

    Raises BurstlabError where the file cannot be read, is no trace, or ends too early.
    """
    with _open(path) as file:
        parts = _parts(path, file)
        rest = _begin(path, parts)
        for part in parts:
            rest += part
            cut = rest.rfind(BETWEEN)
            if cut >= 0:
                yield rest[: cut + _END]
                rest = rest[cut + _NEXT :]
            elif len(rest) > 4 * BLOCK:
                break
        yield from _one_by_one(path, rest, parts)


def _open(path: Path) -> IO[bytes]:
    try:
        with path.open("rb") as file:
            zipped = file.read(2) == _GZIP
        return gzip.open(path, "rb") if zipped else path.open("rb")  # type: ignore[return-value]
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error


def _parts(path: Path, file: IO[bytes]) -> Iterator[bytes]:
    try:
        while part := file.read(BLOCK):
            yield part
    except EOFError as error:
        raise BurstlabError(f"{path}: the gzip data end too early; was the file copied whole?") from error
    except (OSError, zlib.error) as error:
        raise BurstlabError(f"{path}: the gzip data are damaged: {error}") from error


def _begin(path: Path, parts: Iterator[bytes]) -> bytes:
    """What follows the bracket that opens the list of events."""
    head = b""
    for part in parts:
        head += part
        if head.lstrip()[:1] == b"[":
            return head.lstrip()[1:]
        key = head.find(b'"traceEvents"')
        bracket = head.find(b"[", key)
        if key >= 0 and bracket >= 0:
            return head[bracket + 1 :]
        if len(head) > _HEADER:
            break
    what = "it is empty" if not head.strip() else "no list `traceEvents` in it"
    raise BurstlabError(f"{path}: {what}; a Chrome trace of torch's profiler was expected")


def _one_by_one(path: Path, rest: bytes, parts: Iterator[bytes]) -> Iterator[list[Event]]:
    """The events of the rest, up to the bracket that closes the list."""
    decode = json.JSONDecoder().raw_decode
    unicode = codecs.getincrementaldecoder("utf-8")("replace")
    text = unicode.decode(rest)
    more = True
    while more:
        events: list[Event] = []
        place = 0
        while True:
            place = _skip(text, place)
            if text[place : place + 1] == "]":
                yield events
                return
            try:
                event, place = decode(text, place)
            except ValueError:
                break
            except RecursionError as error:
                raise BurstlabError(f"{path}: an event of the trace is nested too deep") from error
            if not isinstance(event, dict):
                raise BurstlabError(f"{path}: an event of the trace is not an object: {str(event)[:40]}")
            events.append(event)
        yield events
        part = next(parts, None)
        more = part is not None
        text = text[place:] + unicode.decode(part or b"", final=not more)
    raise BurstlabError(
        f"{path}: the trace ends within its list of events, or is no JSON, after: {text[:60].strip()!r}; was it copied whole?"
    )


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in " \t\r\n,":
        place += 1
    return place
