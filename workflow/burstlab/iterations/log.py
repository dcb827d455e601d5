"""Reading vLLM's iteration log, in the form of up to 0.26 and in that of 0.27 and later.

Lines of the older form come from the engine core, those of the newer one from the API server::

    Iteration(515): 0 context requests, 0 context tokens, 20 generation requests, 20 generation tokens, iteration elapsed time: 10.99 ms
    Engine 000: Iteration(515): 0 context requests, …, iteration elapsed time: 10.99 ms (dummy), GPU KV cache usage: 1.2%

(`_log_iteration_details` in vllm/v1/metrics/loggers.py, `compute_iteration_details` in vllm/v1/utils.py.) A *context* request
has no output token yet, so every chunk of its prompt is context; one that was preempted and is computed again counts as
generation, with as many tokens as are computed again.
"""  # noqa: E501 - the lines are as the engine writes them

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa

from burstlab.errors import BurstlabError

DECODE_ONLY = "decode-only"
MIXED = "mixed"
PREFILL_ONLY = "prefill-only"
KINDS = (DECODE_ONLY, MIXED, PREFILL_ONLY)

SCHEMA = pa.schema(
    [
        pa.field("iteration", pa.int64(), nullable=False),
        pa.field("replica", pa.int64(), nullable=False),
        pa.field("elapsed_ms", pa.float64(), nullable=False),
        pa.field("context_requests", pa.int64(), nullable=False),
        pa.field("context_tokens", pa.int64(), nullable=False),
        pa.field("generation_requests", pa.int64(), nullable=False),
        pa.field("generation_tokens", pa.int64(), nullable=False),
        pa.field("kv_usage", pa.float64()),
        pa.field("kind", pa.string(), nullable=False),
    ]
)

_COLOUR = rb"(?:\x1b\[[0-9;]*m)*"
_COUNT = rb"(\d{1,12})"  # sums over any number of lines are exact
_DECIMAL = rb"(\d{1,12}(?:\.\d{1,9})?)"
_PERCENT = rb"(100(?:\.0{1,9})?|\d{1,2}(?:\.\d{1,9})?)"
_LINE = re.compile(
    rb"(?:Engine (\d{1,6}): )?Iteration\(" + _COUNT + rb"\): " + _COUNT + rb" context requests, " + _COUNT
    + rb" context tokens, " + _COUNT + rb" generation requests, " + _COUNT
    + rb" generation tokens, iteration elapsed time: " + _DECIMAL + rb" ms"
    + rb"( \(dummy\))?(?:, \w{1,32} KV cache usage: " + _PERCENT + rb"%)?"
    + rb"(?:, encoder inputs: \d+, encoder output embeddings: \d+)?" + _COLOUR + rb"\r?\n"
)  # fmt: skip
_START = b"Iteration("
_MIDDLE = b"iteration elapsed time:"


@dataclass(frozen=True)
class IterationLog:
    """Iterations of a part of a log, and the lines that are not among them.

    `table` has the columns of `SCHEMA`, in the log's order: `kv_usage` is a fraction, null where the log
    does not say; `replica` is vLLM's data-parallel engine, 0 for a single one. `unparsed_lines` look like
    iterations but are cut or garbled, also where a whole one follows on the same line; `dummy_lines` are steps a
    replica runs only to keep pace with others; `idle_lines` had no request in them. `lines` are all of these as the
    engine wrote them: `parse_bytes` reads the same from them.
    """

    table: pa.Table
    unparsed_lines: int
    dummy_lines: int
    idle_lines: int
    lines: bytes = b""


def parse_log(path: Path, start: int = 0, end: int | None = None) -> IterationLog:
    """Iterations logged in the bytes `start` up to `end` (default: all) of the file at `path`.

    A line that the range cuts is not read: its numbers could be cut too. Raises BurstlabError when the file
    cannot be read or is shorter than `end`.
    """
    if start < 0 or (end is not None and end < start):
        raise BurstlabError(f"{path}: the byte range {start} to {end} is not one")
    try:
        with path.open("rb") as file:
            # One byte more in front tells whether the first line is whole.
            file.seek(max(start - 1, 0))
            data = file.read() if end is None else file.read(end - max(start - 1, 0))
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
    if end is not None and max(start - 1, 0) + len(data) < end:
        raise BurstlabError(f"{path}: ends before byte {end}; was the engine's log replaced while it ran?")
    if start > 0:
        data = data.partition(b"\n")[2] if data[:1] != b"\n" else data[1:]
    return parse_bytes(data)


def parse_bytes(data: bytes) -> IterationLog:
    """Iterations in `data`, which begins at the start of a line; a last line without its end is not read."""
    rows = _LINE.findall(data)
    columns = list(zip(*rows, strict=True)) if rows else [()] * 9
    replica, iteration, *counts, elapsed, dummy, kv_usage = columns
    context_requests, context_tokens, generation_requests, generation_tokens = map(_integers, counts)
    is_dummy = np.array([bool(text) for text in dummy], dtype=bool)
    is_idle = ~is_dummy & (context_requests + generation_requests == 0)
    table = pa.table(
        [
            pa.array(_integers(iteration)),
            pa.array(_integers(tuple(text or b"0" for text in replica))),
            pa.array(_decimals(elapsed)),
            pa.array(context_requests),
            pa.array(context_tokens),
            pa.array(generation_requests),
            pa.array(generation_tokens),
            _fractions(kv_usage),
            _kinds(context_requests, generation_requests),
        ],
        schema=SCHEMA,
    )
    return IterationLog(
        table=table.filter(pa.array(~(is_dummy | is_idle))),
        unparsed_lines=_look_alikes(data, parsed=len(rows)) - len(rows),
        dummy_lines=int(is_dummy.sum()),
        idle_lines=int(is_idle.sum()),
        lines=b"\n".join(_looking_alike(data)),
    )


def _integers(texts: tuple[bytes, ...]) -> np.ndarray:
    return np.fromiter(map(int, texts), dtype=np.int64, count=len(texts))


def _decimals(texts: tuple[bytes, ...]) -> np.ndarray:
    return np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))


def _fractions(percentages: tuple[bytes, ...]) -> pa.Array:
    return pa.array([float(text) / 100 if text else None for text in percentages], pa.float64())


def _kinds(context_requests: np.ndarray, generation_requests: np.ndarray) -> pa.Array:
    # Idle ones get a kind here too; they are left out after.
    index = np.where(context_requests == 0, 0, np.where(generation_requests == 0, 2, 1))
    return pa.DictionaryArray.from_arrays(index.astype(np.int8), list(KINDS)).cast(pa.string())


def _look_alikes(data: bytes, parsed: int) -> int:
    """Iterations, whole or in pieces; a line may have the pieces of several."""
    if data.count(_START) == data.count(_MIDDLE) == parsed:
        return parsed
    return sum(max(line.count(_START), line.count(_MIDDLE)) for line in data.split(b"\n"))


def _looking_alike(data: bytes) -> Iterator[bytes]:
    """These lines themselves; and the nothing after the last line's end, if it has one."""
    *whole, rest = data.split(b"\n")
    yield from (line for line in whole if _START in line or _MIDDLE in line)
    yield rest if _START in rest or _MIDDLE in rest else b""
