"""The two tables that a profile becomes: one of launches, one of the iterations that they belong to.

Both are what every reader makes, whatever it read, and all that figures and estimates see. docs/kernels.md has them in
words.
"""

from __future__ import annotations

from typing import Any

import pyarrow as pa


def _words(name: str, *, width: Any = None, null: bool = True) -> pa.Field:
    """A column of few different words, kept as numbers into a list of them."""
    return pa.field(name, pa.dictionary(width or pa.int8(), pa.string()), nullable=null)


# A row a launch, in the order of the trace (not of time): a kernel, copy or whole graph on a GPU, an operator on a CPU.
LAUNCHES = pa.schema(
    [
        pa.field("start_us", pa.float64(), nullable=False),
        pa.field("duration_us", pa.float64(), nullable=False),
        pa.field("self_us", pa.float64(), nullable=False),
        pa.field("process", pa.int32(), nullable=False),
        pa.field("thread", pa.int64()),
        pa.field("device", pa.int32()),
        pa.field("stream", pa.int32()),
        _words("name", width=pa.int32(), null=False),
        _words("family"),
        _words("part"),
        _words("grid", width=pa.int32()),
        _words("block", width=pa.int32()),
        pa.field("iteration", pa.int32()),
        _words("kind"),
        _words("phase"),
        _words("joined"),
    ]
)

# A row an iteration, in order of process and time.
ITERATIONS = pa.schema(
    [
        pa.field("process", pa.int32(), nullable=False),
        pa.field("iteration", pa.int32(), nullable=False),
        pa.field("begin_us", pa.float64(), nullable=False),
        pa.field("duration_us", pa.float64(), nullable=False),
        pa.field("range_us", pa.float64(), nullable=False),
        pa.field("busy_us", pa.float64(), nullable=False),
        pa.field("launches", pa.int64(), nullable=False),
        pa.field("context_requests", pa.int64(), nullable=False),
        pa.field("context_tokens", pa.int64(), nullable=False),
        pa.field("generation_requests", pa.int64(), nullable=False),
        pa.field("generation_tokens", pa.int64(), nullable=False),
        pa.field("kind", pa.string(), nullable=False),
    ]
)

# How a launch was joined to its iteration (column `joined`; null where it was not).
INSIDE = "inside"  # its call lies in the range, on the range's thread
AFTER = "after"  # on that thread, after the range and before the next one: the sampler's kernels
OTHER_THREAD = "other-thread"  # on a thread of the process that has no ranges, by time
JOINED = (INSIDE, AFTER, OTHER_THREAD)
