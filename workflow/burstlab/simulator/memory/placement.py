"""Where in one stretch of memory a reservation goes."""

from __future__ import annotations

from typing import Protocol


class Placement(Protocol):
    """Hands out ranges of slots, of a token each."""

    slots: int

    def largest(self) -> int:
        """The largest range that can be had."""

    def take(self, size: int) -> tuple[int, int]:
        """A range of at least `size` slots, which is at most `largest()`: its first slot and how many it has."""

    def give(self, start: int, size: int) -> None:
        """Give back a range that was taken."""
