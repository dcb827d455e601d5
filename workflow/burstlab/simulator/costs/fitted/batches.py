"""Batches and how long each took: what costs are fitted to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Batch:
    """One iteration: `decodes` requests that take a token each and hold `context_tokens` in sum, and chunks of prompts.

    `chunks` has for each the tokens computed now and those computed before, as in `costs.interface`.
    """

    decodes: int
    context_tokens: int
    chunks: Sequence[tuple[int, int]]
    elapsed_ms: float
