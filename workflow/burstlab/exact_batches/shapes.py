"""Which batches are timed: decodes, a chunk of a prompt, both in one call, both in two calls, decodes beside two prompts at once,
and decodes that are padded."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from burstlab.study.schema import Engine

DECODE, CHUNK, MIXED, SPLIT = "decode", "chunk", "mixed", "split"
PACKED, PADDED = "packed", "padded"
ARMS = (DECODE, CHUNK, MIXED, SPLIT, PACKED, PADDED)

Request = tuple[int, int]
"""Tokens that are computed now, and tokens before them that are in the KV cache."""
Batch = tuple[Request, ...]

PADDED_TOKENS = 2
"""The least that is no decode: kernels for queries of one token do not take them."""


@dataclass(frozen=True, slots=True)
class Shape:
    """`decodes` requests that hold `context_tokens` each, and a chunk of `chunk_tokens` that begins a prompt."""

    decodes: int
    context_tokens: int
    chunk_tokens: int

    def calls(self, arm: str) -> tuple[Batch, ...]:
        """The batches of an arm, each of which is one call of the model.

        `split` has those of `decode` and `chunk` one after the other; `packed` has a second such chunk beside the first, as when
        a burst brings two prompts at once; `padded` are the decodes with two tokens each in place of one, which does hardly more
        work and leaves the kernels for decodes.
        """
        decode: Batch = ((1, self.context_tokens),) * self.decodes
        chunk: Batch = ((self.chunk_tokens, 0),)
        padded: Batch = ((PADDED_TOKENS, self.context_tokens),) * self.decodes
        return {
            DECODE: (decode,),
            CHUNK: (chunk,),
            MIXED: (decode + chunk,),
            SPLIT: (decode, chunk),
            PACKED: (decode + chunk + chunk,),
            PADDED: (padded,),
        }[arm]


# Few decodes beside a prompt of usual length, and many with long contexts, where attention takes long, beside a short one.
_CPU = (Shape(8, 256, 256), Shape(16, 1024, 64))
_GPU = (Shape(32, 1024, 512), Shape(128, 2048, 256))


def shapes_for(kind: str, engine: Engine) -> Sequence[Shape]:
    """The shapes for a kind of platform that an engine's limits allow; those of GPUs, real or simulated, are larger."""
    return [shape for shape in (_CPU if kind == "cpu" else _GPU) if _fits(shape, engine)]


def _fits(shape: Shape, engine: Engine) -> bool:
    tokens = max(shape.decodes + 2 * shape.chunk_tokens, shape.decodes * PADDED_TOKENS)
    longest = max(shape.context_tokens + PADDED_TOKENS, shape.chunk_tokens + 1)
    limits = (
        (engine.max_batched_tokens, tokens),
        (engine.max_sequences, shape.decodes + 2),
        (engine.max_model_len, longest),
    )
    return all(limit is None or wanted <= limit for limit, wanted in limits)
