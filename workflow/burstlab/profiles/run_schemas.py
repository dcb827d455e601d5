"""The columns of the study's tables of profiled runs."""

from __future__ import annotations

import pyarrow as pa

from burstlab.tables.cells_table import CONDITIONS, IDENTITY

_TEXT, _NUMBER, _WHOLE = pa.string(), pa.float64(), pa.int64()

# A row a run, a part of the iteration and what costs are counted by.
_INTERFERENCE = pa.schema(
    [
        *IDENTITY,
        *CONDITIONS,
        *(pa.field(name, _TEXT, nullable=False) for name in ("per", "part")),
        *(pa.field(name, _NUMBER) for name in ("mixed_us", "decode_only_us", "index", "low", "high")),
        pa.field("blocks", _WHOLE),
        pa.field("why", _TEXT),
    ]
)
# A row a run, a kind of iteration and a part of its time.
_BREAKDOWN = pa.schema(
    [
        *IDENTITY,
        *(pa.field(name, _TEXT, nullable=False) for name in ("kind", "part")),
        pa.field("time_us", _NUMBER, nullable=False),
        *(
            pa.field(name, _WHOLE, nullable=False)
            for name in ("iterations", "context_tokens", "generation_tokens")
        ),
    ]
)
# A row a run, a kind of iteration and a family of kernels: see `paths`.
_PATHS = pa.schema(
    [
        *IDENTITY,
        *CONDITIONS,
        *(pa.field(name, _TEXT, nullable=False) for name in ("kind", "part", "family")),
        *(pa.field(name, _WHOLE, nullable=False) for name in ("iterations", "with_it", "launches")),
        pa.field("time_us", _NUMBER, nullable=False),
    ]
)
# A row an iteration or an arrival of a run: see `timeline`.
_TIMELINE = pa.schema(
    [
        *IDENTITY,
        pa.field("what", _TEXT, nullable=False),
        pa.field("begin_ms", _NUMBER, nullable=False),
        pa.field("duration_ms", _NUMBER),
        pa.field("kind", _TEXT),
        *(
            pa.field(name, _WHOLE)
            for name in (
                "context_requests",
                "context_tokens",
                "generation_requests",
                "generation_tokens",
            )
        ),
        pa.field("within_ms", _NUMBER),
        pa.field("why", _TEXT),
    ]
)

SCHEMAS = {
    "interference": _INTERFERENCE,
    "breakdown": _BREAKDOWN,
    "paths": _PATHS,
    "timeline": _TIMELINE,
}
"""By the name of the file."""
