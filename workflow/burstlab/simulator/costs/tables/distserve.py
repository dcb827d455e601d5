"""DistServe's fit of OPT-13B on one A100-80GB (OSDI 2024, artifact): a published figure, not a measurement of ours."""

from __future__ import annotations

from collections.abc import Sequence

from burstlab.errors import BurstlabError
from burstlab.simulator.clock import PS_PER_MS
from burstlab.simulator.costs.interface import Line

# In ms; prompts of n tokens each.
_PREFILL, _TOKEN, _SQUARE = 22.05, 0.1405, 8.08e-6
_DECODE, _CONTEXT, _EACH = 23.48, 0.000593, 0.0607
_FEWER_THAN = 95


class DistServeOpt13B:
    """Prefill 22.05 + 0.1405·Σn + 8.08e-6·Σn², decode 23.48 + 0.000593·Σcontext + 0.0607·batch, both in ms.

    DistServe never mixes prompts and decodes, and its fit of decodes holds below 95 of them: anything else is refused, so use a
    policy that runs prompts alone and whole.
    """

    def decode(self, decodes: int, context_tokens: int) -> Line:
        """Decodes alone; BurstlabError for 95 or more."""
        if decodes >= _FEWER_THAN:
            raise BurstlabError(f"DistServe's fit holds below {_FEWER_THAN} decodes; here are {decodes}")
        context_ps = round(_CONTEXT * PS_PER_MS)
        first_ps = round((_DECODE + _EACH * decodes) * PS_PER_MS) + context_ps * context_tokens
        return Line(first_ps, context_ps * decodes)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:  # noqa: ARG002
        """Whole prompts alone; BurstlabError beside decodes or for parts of prompts."""
        if decodes or any(before for _, before in chunks):
            raise BurstlabError(
                "DistServe's fit is of whole prompts alone: neither mixed batches nor chunks are in it"
            )
        tokens = [now for now, _ in chunks]
        squares = sum(now * now for now in tokens)
        return round((_PREFILL + _TOKEN * sum(tokens) + _SQUARE * squares) * PS_PER_MS)
