"""From a launch to the call that made it, by CUDA's correlation ids.

A kernel's record has the correlation id of the API call that launched it; all kernels of a CUDA graph have that of the
graph's launch (CUPTI, `CUpti_ActivityKernel::correlationId`). Ids are counted by each process.
"""

from __future__ import annotations

import numpy as np

from burstlab.profiles.lanes import Lanes, Places

_MOST_CALLS = 1 << 44


class Calls:
    """The API calls of a trace, added in any order and then looked up."""

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._keys: list[np.ndarray] = []
        self._places: list[Places] = []
        self._processes: dict[int, int] = {}
        self._sorted: tuple[np.ndarray, Places] | None = None

    def add(self, process: np.ndarray, correlation: np.ndarray, thread: np.ndarray, time: np.ndarray) -> None:
        """Add calls; a correlation id below 0 means that there is none. Arrays of shape (calls,)."""
        known = correlation >= 0
        if not known.all():
            process, correlation, thread, time = (
                array[known] for array in (process, correlation, thread, time)
            )
        self._keys.append(self._key(process, correlation))
        self._places.append(self._lanes.locate(process, thread, time))
        self._sorted = None

    def find(self, process: np.ndarray, correlation: np.ndarray) -> Places:
        """Where the launches of these calls belong: nowhere if the call is not in the trace."""
        if self._sorted is None:
            self._sorted = self._sort()
        keys, places = self._sorted
        wanted = self._key(process, correlation)
        found = np.searchsorted(keys, wanted)
        found[found == len(keys)] = 0
        missing = (keys[found] != wanted) | (correlation < 0) if len(keys) else np.ones(len(wanted), bool)
        result = places[found] if len(keys) else Places.nowhere(len(wanted))
        for array in (result.iteration, result.joined, result.phase, result.thread):
            array[missing] = -1
        return result

    def _key(self, process: np.ndarray, correlation: np.ndarray) -> np.ndarray:
        base = np.zeros(len(process), dtype=np.int64)
        for one in np.unique(process).tolist():
            number = self._processes.setdefault(one, len(self._processes))
            base[process == one] = number * _MOST_CALLS
        base += correlation
        return base

    def _sort(self) -> tuple[np.ndarray, Places]:
        keys = np.concatenate([np.empty(0, np.int64), *self._keys])
        places = _concatenate(self._places)
        if (keys[1:] < keys[:-1]).any():
            order = np.argsort(keys, kind="stable")
            keys, places = keys[order], places[order]
        self._keys, self._places = [keys], [places]
        return keys, places


def _concatenate(parts: list[Places]) -> Places:
    parts = [Places.nowhere(0), *parts]
    return Places(
        np.concatenate([part.iteration for part in parts]),
        np.concatenate([part.joined for part in parts]),
        np.concatenate([part.phase for part in parts]),
        np.concatenate([part.thread for part in parts]),
    )
