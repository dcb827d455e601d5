"""The requests that decode, which all take one token in each iteration that decodes."""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush

from burstlab.simulator.job import Job


class Decodes:
    """The decodes in order of joining.

    Since they advance together, what a job has done follows from `step`, the number of decode steps taken so far, and from the
    step at which it joined: to advance all of them by any number of steps takes no longer than to advance one by one step.
    `context` is the sum of tokens whose keys and values they hold.
    """

    __slots__ = ("_due", "_steps_due", "context", "jobs", "step")

    def __init__(self) -> None:
        self.step = 0
        self.context = 0
        self.jobs: dict[Job, None] = {}
        self._due: dict[int, list[Job]] = {}
        self._steps_due: list[int] = []  # a heap; may name steps whose jobs were preempted

    def held_tokens(self, job: Job) -> int:
        """Tokens whose keys and values the decoding `job` holds."""
        return job.target + self.step - job.joined

    def join(self, job: Job) -> None:
        """Add a job that has just yielded a token and wants at least one more."""
        job.joined = self.step
        job.due = due = self.step + job.output - job.generated
        self.jobs[job] = None
        self.context += job.target
        if due in self._due:
            self._due[due].append(job)
        else:
            self._due[due] = [job]
            heappush(self._steps_due, due)

    def remove(self, job: Job) -> None:
        """Take out a job before its end; it keeps what it has generated, and must compute it again."""
        self.context -= self.held_tokens(job)
        del self.jobs[job]
        self._due[job.due].remove(job)
        job.generated += self.step - job.joined
        job.target = job.prompt + job.generated

    def steps_left(self) -> int:
        """Steps until a job may be finished, at least 1."""
        return self._steps_due[0] - self.step

    def advance(self, steps: int) -> Iterable[Job]:
        """Take so many steps, at most `steps_left()`; returns the jobs that are finished, which are then gone."""
        self.step += steps
        self.context += steps * len(self.jobs)
        if self._steps_due[0] > self.step:
            return ()
        heappop(self._steps_due)
        finished = self._due.pop(self.step)
        for job in finished:
            self.context -= self.held_tokens(job)
            del self.jobs[job]
        return finished
