"""Operators that call operators: how much of an operator's time is its own."""

from __future__ import annotations

from itertools import pairwise

import numpy as np


def self_times(thread: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """Each operator's time less that of the operators that it called, in the unit of the times; shape (operators,).

    `thread` is any number for the thread. An operator that begins within another of its thread was called by it; if it ends
    later, by a rounded clock, the time in both is its own. So the times of a thread add up to the time in which it
    was in any operator. Of two that begin at once the longer one is the caller, of two alike the one that comes first.
    """
    order = np.lexsort((np.arange(len(begin)), -end, begin, thread))
    thread, begin, end = thread[order], begin[order], end[order]
    own = np.zeros_like(begin)
    left = np.arange(len(order))
    callers: np.ndarray | None = None
    # A level of callers a turn: as many turns as the deepest call has levels.
    while left.size:
        first = np.flatnonzero(_begins_in_no_other(thread[left], begin[left], end[left]))
        level = left[first]
        times = np.maximum.reduceat(end[left], first) - begin[level]
        own[level] = times
        if callers is not None:
            np.subtract.at(own, callers[np.searchsorted(callers, level) - 1], times)
        callers, left = level, np.delete(left, first)
    result = np.empty_like(own)
    result[order] = own
    return result


def _begins_in_no_other(thread: np.ndarray, begin: np.ndarray, end: np.ndarray) -> np.ndarray:
    """For operators sorted by thread and begin."""
    free = np.ones(len(begin), dtype=bool)
    changes = np.flatnonzero(thread[1:] != thread[:-1]) + 1
    for start, stop in pairwise([0, *changes.tolist(), len(thread)]):
        reached = np.maximum.accumulate(end[start:stop])
        free[start + 1 : stop] = begin[start + 1 : stop] >= reached[:-1]
    return free
