"""What a run comes to, straight from its arrays: the metrics of a cell that comparisons of bursts need, without its tables."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from burstlab.errors import BurstlabError
from burstlab.simulator.clock import PS_PER_MS, PS_PER_S, ms_from_ps
from burstlab.simulator.loop import Run

METRICS = ("tpot", "e2el", "ttft")


@dataclass(frozen=True, slots=True)
class Kind:
    """Iterations of one kind. `mean_ms` counts each iteration once, `token_ms` as often as it made a token: it is what a decode
    token waits for. `decodes` and `prompt_tokens` are means over its tokens. All are NaN where there is none.
    """

    token_share: float
    mean_ms: float
    token_ms: float
    decodes: float
    prompt_tokens: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """Latencies by metric in ms, over requests, the two kinds of iteration that make tokens, the most requests that decoded
    together, and the largest share of the blocks that was in use.

    The definitions are those of `burstlab.records.summary`: a test compares them.
    """

    mean_ms: dict[str, float]
    median_ms: dict[str, float]
    decode_only: Kind
    mixed: Kind
    served_per_s: float
    most_decodes: int
    memory_used: float


def outcome(run: Run) -> Outcome:
    """Of a run that kept its iterations; BurstlabError if it did not."""
    if run.iterations is None:
        raise BurstlabError("this run kept no iterations: simulate with log_iterations")
    found = _latencies_ms(run)
    stretches = run.iterations.stretches()
    with_prompts, makes = stretches["context_requests"] > 0, stretches["generation_requests"] > 0
    total = int((stretches["generation_tokens"] * stretches["steps"]).sum())
    return Outcome(
        mean_ms={name: _or_nan(np.mean, values) for name, values in found.items()},
        median_ms={name: _or_nan(np.median, values) for name, values in found.items()},
        decode_only=_kind(stretches, ~with_prompts, total),
        mixed=_kind(stretches, with_prompts & makes, total),
        served_per_s=len(run.requests.send_ps)
        * PS_PER_S
        / int(run.last_token_ps.max() + run.delays.egress_ps),
        most_decodes=int(stretches["generation_requests"].max()),
        memory_used=max(run.iterations.blocks) / run.blocks,
    )


def _latencies_ms(run: Run) -> dict[str, np.ndarray]:
    sent_ps = run.requests.send_ps - run.delays.egress_ps
    output = run.requests.output_tokens
    several = output > 1
    decode_ms = ms_from_ps(run.last_token_ps - run.first_token_ps)
    return {
        "tpot": decode_ms[several] / (output[several] - 1),
        "e2el": ms_from_ps(run.last_token_ps - sent_ps),
        "ttft": ms_from_ps(run.first_token_ps - sent_ps),
    }


def _kind(stretches: dict[str, np.ndarray], chosen: np.ndarray, total: int) -> Kind:
    some = {name: values[chosen] for name, values in stretches.items()}
    steps = some["steps"].astype(float)
    # Of a stretch all iterations together; floats hold them to far less than a microsecond.
    elapsed_ms = (steps * some["first_ps"] + some["growth_ps"] * (steps * (steps - 1) / 2)) / PS_PER_MS
    tokens = some["generation_tokens"]
    made = steps * tokens
    if not made.sum():
        return Kind(0.0 if total else np.nan, np.nan, np.nan, np.nan, np.nan)
    return Kind(
        token_share=float(made.sum() / total),
        mean_ms=float(elapsed_ms.sum() / steps.sum()),
        token_ms=float((elapsed_ms * tokens).sum() / made.sum()),
        decodes=float((made * some["generation_requests"]).sum() / made.sum()),
        prompt_tokens=float((made * some["context_tokens"]).sum() / made.sum()),
    )


def _or_nan(function: Callable[[np.ndarray], float], values: np.ndarray) -> float:
    return float(function(values)) if len(values) else float("nan")
