"""The batches that a measured cell ran, put together again from its two tables.

vLLM's log counts tokens, but does not say how long the contexts were. They follow: requests are served in the order of
sending, all decodes take a token in each iteration, and each request's prompt and output are known.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa

from burstlab.simulator.costs.fitted.batches import Batch
from burstlab.simulator.decodes import Decodes
from burstlab.simulator.job import Job

# In a burst two requests may overtake each other on their way to the scheduler, by no more than this many places.
_OVERTAKING = 8


@dataclass(frozen=True, slots=True)
class Span:
    """The iterations that gave a request its first and its last token, and whether the first ran for it alone, after a pause."""

    request: int
    first: int
    last: int
    alone: bool


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """The batches of the first iterations, and the number of them all: where there are fewer batches, the tables disagree.

    `spans` are those of requests that were finished within these batches.
    """

    batches: list[Batch]
    spans: list[Span]
    iterations: int


def rebuild(requests: pa.Table, iterations: pa.Table) -> Rebuilt:
    """The batches of a cell without preemptions, failures, and prefix caching, with one replica.

    Where the log's sums fit no order of requests close to that of sending, the rest of the cell is left out.
    """
    replay = _Replay(requests)
    names = ("context_requests", "context_tokens", "generation_requests", "elapsed_ms")
    rows = list(zip(*(iterations[name].to_pylist() for name in names), strict=True))
    # A prompt is cut only where an iteration has as many tokens as it may; if none is that full, nothing was cut.
    most_tokens = max((row[1] + row[2] for row in rows), default=0)
    for row in rows:
        if not replay.iteration(*row, full=row[1] + row[2] == most_tokens):
            break
    return Rebuilt(replay.batches, replay.spans, iterations.num_rows)


class _Replay:
    def __init__(self, requests: pa.Table) -> None:
        rows = requests.select(["send_s", "request", "prompt_tokens", "output_tokens"]).to_pylist()
        rows = sorted((row for row in rows if row["send_s"] is not None), key=lambda row: row["send_s"])
        self.waiting = deque(Job(row["request"], row["prompt_tokens"], row["output_tokens"]) for row in rows)
        self.partial: list[Job] = []
        self.decodes = Decodes()
        self.batches: list[Batch] = []
        self.spans: list[Span] = []
        self._first: dict[Job, tuple[int, bool]] = {}

    def iteration(
        self,
        context_requests: int,
        context_tokens: int,
        generation_requests: int,
        elapsed_ms: float,
        *,
        full: bool,
    ) -> bool:
        """Take the next iteration; False if it does not fit."""
        decodes, number = self.decodes, len(self.batches)
        alone = context_requests == 1 and not decodes.jobs and not self.partial
        chunks = self._chunks(context_requests, context_tokens, full)
        if chunks is None or generation_requests != len(decodes.jobs):
            return False
        computed = [(tokens, job.computed) for job, tokens in chunks]
        self.batches.append(Batch(generation_requests, decodes.context, computed, elapsed_ms))
        for job in decodes.advance(1) if decodes.jobs else ():
            self.spans.append(Span(job.request, self._first[job][0], number, self._first[job][1]))
        for job, tokens in chunks:
            job.computed += tokens
            if job.computed < job.target:
                self.partial = [job]
                continue
            job.generated = 1
            self._first[job] = (number, alone)
            if job.output > 1:
                decodes.join(job)
            else:
                self.spans.append(Span(job.request, number, number, alone))
        return True

    def _chunks(self, count: int, tokens: int, full: bool) -> list[tuple[Job, int]] | None:
        """Which jobs computed `tokens` of their prompts; None if none fit. In a `full` iteration the last may have been cut."""
        if count == 0:
            return []
        begun, self.partial = self.partial, []
        fresh = count - len(begun)
        if not 0 <= fresh <= len(self.waiting):
            return None
        left = tokens - sum(job.target - job.computed for job in begun)
        prompts = [job.target for job in islice(self.waiting, fresh + _OVERTAKING)]
        places: list[int] | None = list(range(fresh))
        excess = sum(prompts[:fresh]) - left
        last = prompts[fresh - 1] if fresh else sum(job.target - job.computed for job in begun)
        if excess and not (full and 0 < excess < last):
            places = _one_overtakes(prompts, fresh, left)
            excess = 0
        if places is None:
            return None
        jobs = begun + [self.waiting[place] for place in places]
        for place in reversed(places):
            del self.waiting[place]
        computed = [job.target - job.computed for job in jobs]
        if excess:
            computed[-1] -= excess
        return list(zip(jobs, computed, strict=True))


def _one_overtakes(prompts: list[int], count: int, tokens: int) -> list[int] | None:
    """`count` of the places whose prompts add up to `tokens`, where one that is further behind replaces one in front."""
    total = sum(prompts[:count])
    for behind in range(count, len(prompts)):
        for front in reversed(range(count)):
            if total - prompts[front] + prompts[behind] == tokens:
                return [place for place in range(count) if place != front] + [behind]
    return None
