"""One replica after the other."""
# ruff: noqa: ARG002 - the arguments are those of `Router`

from __future__ import annotations

from collections.abc import Sequence


class RoundRobin:
    """Whatever they have to do."""

    def __init__(self) -> None:
        self._next = 0

    def choose(self, now_ps: int, unfinished: Sequence[int]) -> int:
        """The next one."""
        chosen = self._next % len(unfinished)
        self._next += 1
        return chosen
