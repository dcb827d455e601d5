"""How long iterations took, and in how much of that no launch ran."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Spans:
    """Of each iteration of one process, in ns, shape (iterations,): its begin and end, and the time in which launches ran."""

    begin: np.ndarray
    end: np.ndarray
    busy: np.ndarray


class Covered:
    """The time in which at least one of many intervals, in any order, was open."""

    def __init__(self, start: np.ndarray, end: np.ndarray) -> None:
        if (start[1:] < start[:-1]).any():
            order = np.argsort(start, kind="stable")
            start, end = start[order], end[order]
        self._start = start
        self._reached = np.maximum.accumulate(end)
        # What each interval adds to those before it.
        added = self._reached.copy()
        if len(added):
            added[1:] -= np.maximum(start[1:], self._reached[:-1])
            added[0] -= start[0]
        np.maximum(added, 0, out=added)
        self._sum = np.cumsum(added, out=added)

    def until(self, time: np.ndarray) -> np.ndarray:
        """The covered time up to each time."""
        place = np.searchsorted(self._start, time, side="right") - 1
        if not len(self._start):
            return np.zeros(len(time), np.int64)
        ahead = np.maximum(self._reached[place] - time, 0)
        return np.where(place < 0, 0, self._sum[place] - ahead)


def spans(
    range_begin: np.ndarray, range_end: np.ndarray, iteration: np.ndarray, start: np.ndarray, end: np.ndarray
) -> Spans:
    """The spans of one process's iterations.

    Ranges are in order of begin; launches have the number of their iteration, below 0 for none. An iteration
    ends when its range and its last launch have ended. It begins with its range, or when the one before it has
    ended if that is later: an asynchronous engine prepares an iteration while the one before still runs.
    """
    ends = range_end.copy()
    joined = iteration >= 0
    if joined.all():
        np.maximum.at(ends, iteration, end)
    else:
        np.maximum.at(ends, iteration[joined], end[joined])
    ends = np.maximum.accumulate(ends)
    begins = range_begin.copy()
    begins[1:] = np.maximum(begins[1:], ends[:-1])
    ends = np.maximum(ends, begins)
    covered = Covered(start, end)
    return Spans(begins, ends, covered.until(ends) - covered.until(begins))
