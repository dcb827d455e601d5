"""Which range of a thread was open at a given time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

NOWHERE = -1


@dataclass(frozen=True, slots=True)
class Ranges:
    """Ranges of several threads, shape (ranges,) each; times in ns. A thread's number includes its process."""

    thread: np.ndarray
    begin: np.ndarray
    end: np.ndarray

    @classmethod
    def of(cls, rows: Iterable[tuple[int, int, int]]) -> Ranges:
        """Ranges from rows of (thread, begin, end)."""
        table = np.array(list(rows), dtype=np.int64).reshape(-1, 3)
        return cls(table[:, 0], table[:, 1], table[:, 2])

    def __len__(self) -> int:
        return len(self.thread)


class Timeline:
    """What was open on one thread: the innermost range at any time, and the last one that had begun.

    `numbers` are those of the thread's ranges, in the caller's count; begin and end have one entry each.
    """

    def __init__(self, numbers: np.ndarray, begin: np.ndarray, end: np.ndarray) -> None:
        order = np.lexsort((-end, begin))
        self._numbers, self._begin = numbers[order], begin[order]
        self._times, self._open = _segments(self._numbers, self._begin, end[order])

    def inside(self, time: np.ndarray) -> np.ndarray:
        """The number of the innermost range that holds each time, its ends included; `NOWHERE` if none does."""
        return _at(self._times, self._open, time)

    def last_begun(self, time: np.ndarray) -> np.ndarray:
        """The number of the last range that had begun at each time; `NOWHERE` before the first."""
        return _at(self._begin, self._numbers, time)


def _at(times: np.ndarray, values: np.ndarray, wanted: np.ndarray) -> np.ndarray:
    """The value that holds from the last of `times` on; `NOWHERE` before the first."""
    found: np.ndarray = np.append(values, NOWHERE)[np.searchsorted(times, wanted, side="right") - 1]
    return found


def _segments(numbers: np.ndarray, begin: np.ndarray, end: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Times from which on another range is the innermost one, and which. Ranges are few, so this is a plain loop."""
    times: list[int] = []
    innermost: list[int] = []
    stack: list[tuple[int, int]] = []

    def close_until(time: float) -> None:
        while stack and stack[-1][0] <= time:
            closed, _ = stack.pop()
            times.append(int(min(closed + 1, time)))
            innermost.append(stack[-1][1] if stack else NOWHERE)

    for number, start, stop in zip(numbers.tolist(), begin.tolist(), end.tolist(), strict=True):
        close_until(start)
        stack.append((min(stop, stack[-1][0]) if stack else stop, number))
        times.append(start)
        innermost.append(number)
    close_until(float("inf"))
    # Several changes at one time: the last one holds.
    at = np.array(times, dtype=np.int64)
    last = np.ones(len(at), dtype=bool)
    last[:-1] = at[1:] != at[:-1]
    return at[last], np.array(innermost, dtype=np.int64)[last]
