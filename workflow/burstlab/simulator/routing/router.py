"""What a router is asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class Router(Protocol):
    """Chooses a replica for one request after the other; it may remember what it chose, so it serves one run."""

    def choose(self, now_ps: int, unfinished: Sequence[int]) -> int:
        """The number of the replica for a request that arrives at `now_ps`; `unfinished` are the requests at each."""
