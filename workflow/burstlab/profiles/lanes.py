"""Which iteration a call on a thread belongs to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from burstlab.profiles.ranges import NOWHERE, Ranges, Timeline
from burstlab.profiles.schema import AFTER, INSIDE, JOINED, OTHER_THREAD


@dataclass(frozen=True, slots=True)
class Places:
    """Where calls belong, shape (calls,) each.

    `iteration` numbers the iteration ranges, `joined` the words of `schema.JOINED`, `phase` the phases; `NOWHERE` stands for
    none. `thread` is the calling thread, `NOWHERE` if unknown.
    """

    iteration: np.ndarray
    joined: np.ndarray
    phase: np.ndarray
    thread: np.ndarray

    @classmethod
    def nowhere(cls, count: int) -> Places:
        """Calls that belong nowhere."""
        small = np.full(count, NOWHERE, dtype=np.int8)
        return cls(np.full(count, NOWHERE, np.int32), small, small.copy(), np.full(count, NOWHERE, np.int64))

    def __getitem__(self, chosen: np.ndarray) -> Places:
        return Places(self.iteration[chosen], self.joined[chosen], self.phase[chosen], self.thread[chosen])


class Lanes:
    """The iteration ranges of all threads, and the phases within them.

    A call inside a range of its own thread belongs there. After the range, and before the thread's next one, it belongs to
    it too: vLLM samples after the range has ended. A call on a thread without ranges belongs to the iteration that its
    process had begun last.
    """

    def __init__(self, process: np.ndarray, iterations: Ranges, scopes: Ranges, phase: np.ndarray) -> None:
        numbers = np.arange(len(iterations))
        self._threads = _timelines(iterations.thread, numbers, iterations)
        self._process = np.append(process, NOWHERE)
        self._processes = _timelines(process, numbers, iterations)
        self._scopes = _timelines(scopes.thread, phase, scopes)

    def locate(self, process: np.ndarray, thread: np.ndarray, time: np.ndarray) -> Places:
        """Where calls at these times belong; `process` and `thread` as the ranges number them, shape (calls,) each."""
        places = Places.nowhere(len(time))
        places.thread[:] = thread
        for one in np.unique(thread).tolist():
            chosen = np.flatnonzero(thread == one)
            scopes = self._scopes.get(one)
            if scopes is not None:
                places.phase[chosen] = scopes.inside(time[chosen])
            lane = self._threads.get(one)
            if lane is None:
                self._by_process(places, chosen, process, time)
                continue
            inside, begun = lane.inside(time[chosen]), lane.last_begun(time[chosen])
            is_inside = inside != NOWHERE
            places.iteration[chosen] = np.where(is_inside, inside, begun)
            places.joined[chosen] = np.where(is_inside, JOINED.index(INSIDE), JOINED.index(AFTER))
        # Only a damaged trace has a thread in two processes.
        places.iteration[self._process[places.iteration] != process] = NOWHERE
        places.joined[places.iteration == NOWHERE] = NOWHERE
        return places

    def _by_process(self, places: Places, chosen: np.ndarray, process: np.ndarray, time: np.ndarray) -> None:
        for one in np.unique(process[chosen]).tolist():
            lane = self._processes.get(one)
            if lane is not None:
                those = chosen[process[chosen] == one]
                places.iteration[those] = lane.last_begun(time[those])
                places.joined[those] = JOINED.index(OTHER_THREAD)


def _timelines(key: np.ndarray, numbers: np.ndarray, ranges: Ranges) -> dict[int, Timeline]:
    lanes = {}
    for one in np.unique(key).tolist():
        chosen = key == one
        lanes[one] = Timeline(numbers[chosen], ranges.begin[chosen], ranges.end[chosen])
    return lanes
