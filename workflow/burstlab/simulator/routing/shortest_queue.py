"""Join the shortest queue."""
# ruff: noqa: ARG002 - the arguments are those of `Router`

from __future__ import annotations

from collections.abc import Sequence


class ShortestQueue:
    """The replica with the fewest unfinished requests; of several, the first."""

    def choose(self, now_ps: int, unfinished: Sequence[int]) -> int:
        """The one with the least to do."""
        return min(range(len(unfinished)), key=unfinished.__getitem__)
