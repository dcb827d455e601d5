"""What the event loop asks of costs. All times are whole picoseconds (clock.py)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

FOREVER = 1 << 62


class Line(NamedTuple):
    """Durations of `holds` iterations that follow each other: first_ps, first_ps + growth_ps, first_ps + 2·growth_ps, …

    `first_ps` is above 0, `growth_ps` at least 0.
    """

    first_ps: int
    growth_ps: int
    holds: int = FOREVER


class Costs(Protocol):
    """How long the engine takes for an iteration.

    `decodes` is the number of requests that take one token, `context_tokens` the sum of tokens whose keys and values they hold
    before it.
    """

    def decode(self, decodes: int, context_tokens: int) -> Line:
        """Iterations of decodes alone, of which each has one token more of context a decode than the one before.

        The line must be what asking for each iteration separately would give.
        """

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        """Duration of an iteration that also, or only, computes prompts.

        `chunks` has for each of them the tokens computed now and those computed before.
        """
