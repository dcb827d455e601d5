"""Buddy allocation: sizes are powers of two, and halves of a range are joined again (Knowlton, CACM 8(10), 1965)."""

from __future__ import annotations


class Buddy:
    """`slots` slots, as ranges whose sizes are powers of two and whose first slots are multiples of them."""

    __slots__ = ("_holes", "slots")

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._holes: dict[int, set[int]] = {1 << power: set() for power in range(slots.bit_length())}
        start = 0
        for size in sorted(self._holes, reverse=True):
            if slots & size:
                self._holes[size].add(start)
                start += size

    def largest(self) -> int:
        """The largest hole."""
        return max((size for size, starts in self._holes.items() if starts), default=0)

    def take(self, size: int) -> tuple[int, int]:
        """The smallest hole that has `size` slots, halved as long as half of it is enough."""
        wanted = 1 << (size - 1).bit_length()
        there = min(larger for larger, starts in self._holes.items() if starts and larger >= wanted)
        start = min(self._holes[there])
        self._holes[there].remove(start)
        while there > wanted:
            there //= 2
            self._holes[there].add(start + there)
        return start, there

    def give(self, start: int, size: int) -> None:
        """Make a hole of it, joined with its other half as long as that is one too."""
        while (start ^ size) in self._holes[size] and 2 * size in self._holes:
            self._holes[size].remove(start ^ size)
            start, size = start & ~size, 2 * size
        self._holes[size].add(start)
