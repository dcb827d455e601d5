"""What a fitted duration is made of. Each term stands for work that an engine does, so its coefficient cannot be negative."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Term:
    """A term: its coefficient is in ms per `unit`."""

    name: str
    unit: str
    meaning: str


# One more sequence costs less in a large batch than in a small one: the slope may change at these sizes.
KNOTS = (4, 16)

TERMS = (
    Term("iteration", "iteration", "launching kernels and reading weights"),
    Term("decode_1_to_4", "decode", "each of the first 4 decodes"),
    Term("decode_5_to_16", "decode", "each further one up to 16"),
    Term("decode_17_on", "decode", "each further one"),
    Term("context", "token", "reading keys and values of decodes"),
    Term("with_prompts", "iteration", "what an iteration with prompts costs on top, whatever their length"),
    Term("prompt", "chunk", "each chunk of a prompt, whatever its length"),
    Term("prompt_token", "token", "matrix products for a token of a prompt"),
    Term("prompt_attention", "pair of tokens", "a token of a prompt attending to one before it"),
    Term("mixed_decode", "decode", "what a decode costs on top in an iteration with prompts"),
    Term("mixed_context", "token", "what a token of context costs on top in an iteration with prompts"),
)
CONTEXT = [term.name for term in TERMS].index("context")


def values(decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> tuple[float, ...]:
    """How much of each of `TERMS` an iteration has; the arguments are those of `Costs.mixed`."""
    low, high = KNOTS
    steps = (min(decodes, low), max(min(decodes, high) - low, 0), max(decodes - high, 0))
    if not chunks:
        return (1, *steps, context_tokens, 0, 0, 0, 0, 0, 0)
    tokens = sum(now for now, _ in chunks)
    pairs = sum(now * (before + (now + 1) / 2) for now, before in chunks)
    return (1, *steps, context_tokens, 1, len(chunks), tokens, pairs, decodes, context_tokens)
