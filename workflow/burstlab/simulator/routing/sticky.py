"""A router that keeps bursts together."""

from __future__ import annotations

from collections.abc import Sequence

from burstlab.errors import BurstlabError
from burstlab.simulator.routing.router import Router


class Sticky:
    """Up to `most` requests, each at most `within_ps` after the one before, go to the replica that `base` chose for the first."""

    def __init__(self, base: Router, most: int, within_ps: int) -> None:
        if most < 1 or within_ps < 0:
            raise BurstlabError(
                f"a sticky router of {most} requests within {within_ps} ps: there must be at least 1, within at least 0"
            )
        self._base, self._most, self._within_ps = base, most, within_ps
        self._chosen, self._count, self._last_ps = 0, 0, 0

    def choose(self, now_ps: int, unfinished: Sequence[int]) -> int:
        """The same as for the one before, or what the base chooses."""
        close = self._count > 0 and now_ps - self._last_ps <= self._within_ps
        if close and self._count < self._most:
            self._count += 1
        else:
            self._chosen, self._count = self._base.choose(now_ps, unfinished), 1
        self._last_ps = now_ps
        return self._chosen
