"""When tokens leave the engine: the first and last of each request, and the longest gap between two of them.

Decodes emit together, so gaps are kept once a *stretch* (iterations taken at once) and not once a token. The longest of a
request is the longest of the stretches in which it decoded; `longest_gaps_ps` looks that up for all requests together.
"""

from __future__ import annotations

from array import array

import numpy as np

from burstlab.simulator.job import Job
from burstlab.simulator.range_maximum import range_maximum


class Emissions:
    """Filled by the event loop. Times are in picoseconds; `first_ps` and `last_ps` have an item a request, -1 before it comes."""

    __slots__ = (
        "_after_last", "_first_end", "_from", "_gap", "_last_end", "_later", "_request", "_since", "_waited",
        "first_ps", "last_ps",
    )  # fmt: skip

    def __init__(self, requests: int) -> None:
        self.first_ps = array("q", [-1]) * requests
        self.last_ps = array("q", [-1]) * requests
        # A stretch: the end of its first iteration, its longest gap after that, and its longest gap at all.
        self._first_end, self._later, self._gap = array("q"), array("q"), array("q")
        self._last_end = 0
        # A time that a request decoded: the request, its stretches, and when it had emitted its token before.
        self._request, self._from, self._after_last, self._since = (
            array("q"),
            array("q"),
            array("q"),
            array("q"),
        )
        self._waited: dict[int, int] = {}  # longest gap between preemption and the next token

    def stretch(self, first_end_ps: int, later_ps: int, last_end_ps: int) -> None:
        """Decodes emit at `first_end_ps`, then possibly several times, at most `later_ps` apart, until `last_end_ps`."""
        gap_ps = first_end_ps - self._last_end
        self._first_end.append(first_end_ps)
        self._later.append(later_ps)
        self._gap.append(gap_ps if gap_ps > later_ps else later_ps)
        self._last_end = last_end_ps

    def prefilled(self, job: Job, now_ps: int) -> None:
        """A prefilling job emits a token."""
        if job.generated == 0:
            self.first_ps[job.request] = now_ps
        else:
            waited_ps = now_ps - job.last_token_ps
            self._waited[job.request] = max(waited_ps, self._waited.get(job.request, 0))
        self.last_ps[job.request] = job.last_token_ps = now_ps

    def join(self, job: Job) -> None:
        """It decodes from the next stretch on."""
        job.stretch = len(self._gap)

    def leave(self, job: Job) -> None:
        """It decoded up to the last stretch."""
        if job.stretch == len(self._gap):
            return  # preempted before it had decoded at all
        self._request.append(job.request)
        self._from.append(job.stretch)
        self._after_last.append(len(self._gap))
        self._since.append(job.last_token_ps)
        self.last_ps[job.request] = job.last_token_ps = self._last_end

    def longest_gaps_ps(self) -> np.ndarray:
        """Of each request, shape (requests,), int64; -1 where it emitted fewer than two tokens."""
        longest = np.full(len(self.first_ps), -1, dtype=np.int64)
        first, end = _ints(self._from), _ints(self._after_last)
        own_ps = _ints(self._first_end)[first] - _ints(self._since)
        np.maximum.at(longest, _ints(self._request), np.maximum(own_ps, _ints(self._later)[first]))
        more = end - first > 1
        others_ps = range_maximum(_ints(self._gap), first[more] + 1, end[more])
        np.maximum.at(longest, _ints(self._request)[more], others_ps)
        for request, waited_ps in self._waited.items():
            longest[request] = max(longest[request], waited_ps)
        return longest


def _ints(values: array[int]) -> np.ndarray:
    return np.frombuffer(values, dtype=np.int64) if values else np.zeros(0, dtype=np.int64)
