"""A profiled run on one axis of time: its iterations, and the arrivals of its requests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from burstlab.profiles.alignment import Alignment, align
from burstlab.profiles.profile import Profile

ITERATION = "iteration"
ARRIVAL = "arrival"
_COUNTS = ("context_requests", "context_tokens", "generation_requests", "generation_tokens")


def timeline(
    profile: Profile, process: int, requests: pa.Table, *, same_clock: bool = False
) -> Iterator[dict[str, Any]]:
    """A row for each iteration of a process, then one for each arrival, where these can be placed.

    `begin_ms` counts from the first iteration's begin. An arrival has its prompt as `context_tokens`, and `within_ms`, how far
    off it may be: the iterations' times are the trace's, the arrivals' the client's (see `alignment`), unless all are of the
    `same_clock`, as where they are simulated. Where the two cannot be brought together there are no arrivals, and `why` of the
    iterations says so.
    """
    iterations = profile.iterations.filter(pc.equal(profile.iterations["process"], process))
    if not iterations.num_rows:
        return
    found = Alignment(0.0, 0.0) if same_clock else align(iterations, requests)
    zero_ms = iterations["begin_us"][0].as_py() / 1000
    why = None if isinstance(found, Alignment) else found
    for row in iterations.to_pylist():
        yield {
            "what": ITERATION,
            "begin_ms": row["begin_us"] / 1000 - zero_ms,
            "duration_ms": row["duration_us"] / 1000,
            "kind": row["kind"],
            **{name: row[name] for name in _COUNTS},
            "why": why,
        }
    if isinstance(found, Alignment):
        for row in requests.select(["send_s", "prompt_tokens"]).to_pylist():
            yield {
                "what": ARRIVAL,
                "begin_ms": row["send_s"] * 1000 + found.offset_ms - zero_ms,
                "context_tokens": row["prompt_tokens"],
                "within_ms": found.within_ms,
            }
