"""An iteration, as kernels see it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Iteration:
    """`decodes` requests with `context_tokens` in sum, and chunks of (tokens now, tokens before)."""

    decodes: int
    context_tokens: int
    chunks: Sequence[tuple[int, int]] = ()

    @property
    def prompt_tokens(self) -> int:
        """Tokens of prompts."""
        return sum(now for now, _ in self.chunks)

    @property
    def tokens(self) -> int:
        """All tokens."""
        return self.decodes + self.prompt_tokens

    @property
    def decode_keys(self) -> int:
        """Keys that decodes read: each its context and itself."""
        return self.context_tokens + self.decodes

    @property
    def prompt_keys(self) -> int:
        """Keys that chunks read."""
        return sum(now + before for now, before in self.chunks)

    @property
    def prompt_pairs(self) -> float:
        """Pairs of a prompt's token and a token up to it."""
        return sum(now * (before + (now + 1) / 2) for now, before in self.chunks)
