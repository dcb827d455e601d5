"""The names of the ranges in which vLLM's workers run an iteration.

    execute_context_2(512)_generation_20(20)
    execute_532_context_2(sq512sk900sqsq131072sqsk230400)_generation_20(sq20sk8000sqsq20sqsk8000)

The second form is that of `detailed_trace_annotation`. (`annotate_profile` in vllm/v1/worker/gpu_worker.py.) A *context*
request has no output token yet, as in the iteration log.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from burstlab.iterations.log import DECODE_ONLY, MIXED, PREFILL_ONLY

# What all names begin with; readers look for it before they look closer.
PREFIX = "execute_"
# What the ranges of the worker's steps begin with (vllm/v1/worker/gpu_model_runner.py); the rest is the phase.
STEP_PREFIX = "gpu_model_runner: "

_COUNT = r"(\d{1,12})"
_PLAIN = re.compile(rf"execute_context_{_COUNT}\({_COUNT}\)_generation_{_COUNT}\({_COUNT}\)")
_DETAILS = rf"\(sq{_COUNT}sk\d+sqsq\d+sqsk\d+\)"
_DETAILED = re.compile(rf"execute_\d+_context_{_COUNT}{_DETAILS}_generation_{_COUNT}{_DETAILS}")


@dataclass(frozen=True, slots=True)
class Batch:
    """What an iteration computed: requests and tokens of both sorts."""

    context_requests: int
    context_tokens: int
    generation_requests: int
    generation_tokens: int

    @property
    def kind(self) -> str | None:
        """One of `iterations.log.KINDS`; None for an empty batch."""
        if not self.context_requests:
            return DECODE_ONLY if self.generation_requests else None
        return MIXED if self.generation_requests else PREFILL_ONLY


def parse_range(name: str) -> Batch | None:
    """The batch that a range's name tells; None for a range of another name."""
    found = _PLAIN.fullmatch(name) or _DETAILED.fullmatch(name)
    return Batch(*map(int, found.groups())) if found else None
