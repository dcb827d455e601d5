"""First fit: the first hole that is large enough is cut (Knuth, The Art of Computer Programming, volume 1, section 2.5)."""

from __future__ import annotations

from bisect import bisect_left


class FirstFit:
    """`slots` slots; holes that touch are one."""

    __slots__ = ("_holes", "slots")

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self._holes = [(0, slots)]  # first slot and number of slots, in order

    def largest(self) -> int:
        """The largest hole."""
        return max((size for _, size in self._holes), default=0)

    def take(self, size: int) -> tuple[int, int]:
        """The front of the first hole that has `size` slots."""
        place = next(number for number, hole in enumerate(self._holes) if hole[1] >= size)
        start, there = self._holes[place]
        self._holes[place : place + 1] = [(start + size, there - size)] if there > size else []
        return start, size

    def give(self, start: int, size: int) -> None:
        """Make a hole of it, together with those that it touches."""
        place = bisect_left(self._holes, (start, size))
        end = start + size
        if place < len(self._holes) and self._holes[place][0] == end:
            end += self._holes.pop(place)[1]
        if place and sum(self._holes[place - 1]) == start:
            start = self._holes.pop(place - 1)[0]
            place -= 1
        self._holes.insert(place, (start, end - start))
