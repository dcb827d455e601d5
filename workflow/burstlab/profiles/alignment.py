"""Putting the client's clock and the trace's on one axis, by what cannot be otherwise.

No prompt is computed before it was sent, and no first token arrives before the iteration that made it has ended. Each request
so bounds how far the clocks are apart from both sides. Which iteration computed which prompt is known since vLLM takes prompts
in the order in which they arrive, and an iteration's range tells how many of their tokens it computed.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa


@dataclass(frozen=True, slots=True)
class Alignment:
    """A time of the client's clock plus `offset_ms` is one of the trace's, give or take `within_ms`."""

    offset_ms: float
    within_ms: float


def align(iterations: pa.Table, requests: pa.Table) -> Alignment | str:
    """The alignment of a run's iterations (`schema.ITERATIONS`, one process) and requests; where there is none, why not.

    `requests` has the columns of `bench.requests_table.SCHEMA`.
    """
    if not (iterations.num_rows and requests.num_rows):
        return "there are no iterations or no requests"
    if requests["send_s"].null_count or requests["ttft_ms"].null_count:
        return "not every request got a first token"
    send_ms = requests["send_s"].to_numpy() * 1000.0
    order = np.argsort(send_ms, kind="stable")
    send_ms = send_ms[order]
    first_token_ms = send_ms + requests["ttft_ms"].to_numpy()[order]
    prompt_ends = np.cumsum(requests["prompt_tokens"].to_numpy()[order])
    computed = np.cumsum(iterations["context_tokens"].to_numpy())
    if computed[-1] != prompt_ends[-1]:
        return (
            f"the iterations computed {computed[-1]} tokens of prompts, the requests have {prompt_ends[-1]}"
        )
    begin_ms = iterations["begin_us"].to_numpy() / 1000.0
    duration_ms = iterations["duration_us"].to_numpy() / 1000.0
    prompt_begins = np.concatenate([[0], prompt_ends[:-1]])
    first = np.searchsorted(computed, prompt_begins, side="right")
    last = np.searchsorted(computed, prompt_ends, side="left")
    least_ms = float((begin_ms[last] + duration_ms[last] - first_token_ms).max())
    most_ms = float((begin_ms[first] - send_ms).min())
    # Prompts sent within a moment of each other may be taken in another order: then the bounds cross, by little.
    if least_ms - most_ms > float(np.median(duration_ms)):
        return "prompts were not computed in the order in which they were sent"
    return Alignment((least_ms + most_ms) / 2, abs(most_ms - least_ms) / 2)
