"""The events of a trace that matter here, as tables."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json

from burstlab.errors import BurstlabError
from burstlab.profiles.torch_trace.blocks import BETWEEN, Event, blocks

_SIZE = pa.list_(pa.int64())
_ARGUMENTS = pa.struct(
    [
        pa.field("correlation", pa.int64()),
        pa.field("device", pa.int64()),
        pa.field("stream", pa.int64()),
        pa.field("grid", _SIZE),
        pa.field("block", _SIZE),
    ]
)
SCHEMA = pa.schema(
    [
        pa.field("ph", pa.string()),
        pa.field("cat", pa.string()),
        pa.field("name", pa.string()),
        pa.field("pid", pa.int64()),
        pa.field("tid", pa.int64()),
        pa.field("ts", pa.float64()),
        pa.field("dur", pa.float64()),
        pa.field("args", _ARGUMENTS),
    ]
)

# Categories, in small letters: versions differ in the capitals.
KERNELS = ("kernel",)
COPIES = ("gpu_memcpy", "gpu_memset", "memcpy", "memset")
OPERATORS = ("cpu_op", "operator")
RANGES = ("user_annotation",)
CALLS = ("cuda_runtime", "cuda_driver", "runtime")
_WANTED = pa.array([*KERNELS, *COPIES, *OPERATORS, *RANGES, *CALLS])


def events(path: Path) -> Iterator[pa.Table]:
    """Whole events (`ph` X) of the categories above, as `SCHEMA`, `cat` in small letters; BurstlabError as `blocks` raises it."""
    for block in blocks(path):
        table = _from_text(path, block) if isinstance(block, bytes) else _from_events(path, block)
        category = _category(table["cat"])
        chosen = pc.and_(pc.equal(table["ph"], "X"), pc.is_in(category, _WANTED))
        yield table.set_column(1, "cat", category).filter(chosen)


def _category(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """In small letters; of a list with commas, as the format allows and `perfetto` writes it, the first."""
    if pc.any(pc.match_substring(column, ",")).as_py():
        column = pc.replace_substring_regex(column, ",.*", "")
    return pc.utf8_lower(column)


def _from_text(path: Path, text: bytes) -> pa.Table:
    # Arrow wants its objects without commas in between.
    lines = pa.BufferReader(text.replace(BETWEEN, b"\n  }\n  {"))
    try:
        return pyarrow.json.read_json(
            lines,
            pyarrow.json.ReadOptions(use_threads=True, block_size=len(text) + 1),
            pyarrow.json.ParseOptions(
                explicit_schema=SCHEMA, newlines_in_values=True, unexpected_field_behavior="ignore"
            ),
        )
    except pa.ArrowInvalid:
        # A value of another type, such as a process called "Spans", or a number that JSON does not have, such as NaN.
        try:
            return _from_events(path, json.loads(b"[" + text + b"]"))
        except (ValueError, RecursionError) as error:
            raise BurstlabError(f"{path}: an event of the trace is no JSON: {error}") from error


def _from_events(path: Path, found: list[Event]) -> pa.Table:
    rows = [_row(event) for event in found if event.get("ph") == "X" and isinstance(event.get("cat"), str)]
    try:
        return pa.Table.from_pylist(rows, schema=SCHEMA)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        raise BurstlabError(f"{path}: an event of the trace has a value of a wrong type: {error}") from error


def _row(event: Event) -> dict[str, Any]:
    given = event.get("args")
    arguments = given if isinstance(given, dict) else {}
    return {
        "ph": "X",
        "cat": event["cat"],
        "name": str(event.get("name", "")),
        "pid": _whole(event.get("pid")),
        "tid": _whole(event.get("tid")),
        "ts": event.get("ts"),
        "dur": event.get("dur"),
        "args": {
            "correlation": _whole(arguments.get("correlation")),
            "device": _whole(arguments.get("device")),
            "stream": _whole(arguments.get("stream")),
            "grid": arguments.get("grid"),
            "block": arguments.get("block"),
        },
    }


def _whole(value: Any) -> int | None:
    """A number, also if it is written as a text; None for anything else, such as a process called "Spans"."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return None
