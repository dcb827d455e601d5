"""The state of the engine between two iterations: what a scheduling policy sees, and all that it may do."""

from __future__ import annotations

from collections import deque

from burstlab.simulator.decodes import Decodes
from burstlab.simulator.emissions import Emissions
from burstlab.simulator.job import Job
from burstlab.simulator.memory.allocator import Allocator


class Engine:
    """Jobs are waiting, then prefilling (admitted, their target not computed yet), then decoding."""

    __slots__ = ("decodes", "emissions", "memory", "now_ps", "preemptions", "prefilling", "waiting")

    def __init__(self, memory: Allocator, emissions: Emissions) -> None:
        self.memory = memory
        self.emissions = emissions
        self.waiting: deque[Job] = deque()
        self.prefilling: list[Job] = []
        self.decodes = Decodes()
        self.preemptions = 0
        self.now_ps = 0

    @property
    def running(self) -> int:
        """Number of jobs that are admitted."""
        return len(self.prefilling) + len(self.decodes.jobs)

    def admit_next(self) -> Job:
        """Move the first waiting job to those that prefill, and return it."""
        job = self.waiting.popleft()
        self.prefilling.append(job)
        return job

    def admit(self, job: Job) -> None:
        """Move a waiting job, not necessarily the first, to those that prefill."""
        self.waiting.remove(job)
        self.prefilling.append(job)

    def set_aside(self, job: Job) -> None:
        """A decoding job stops and keeps its memory; `computed` says for how many tokens it holds keys and values."""
        held_tokens = self.decodes.held_tokens(job)
        self.memory.stay(job, held_tokens, self.decodes.step)
        self.decodes.remove(job)
        self.emissions.leave(job)
        job.computed = held_tokens

    def resume(self, job: Job) -> None:
        """A job that was set aside, and whose keys and values are there, decodes again."""
        job.target = job.computed
        self.start_decoding(job)

    def preempt_last(self) -> None:
        """Stop the job that was admitted last: its memory is freed, and it waits in front, to be computed again."""
        if self.prefilling:
            job = self.prefilling.pop()
            self.memory.release(job)
        else:
            job = next(reversed(self.decodes.jobs))
            self.memory.leave(job, self.decodes.held_tokens(job), self.decodes.step)
            self.decodes.remove(job)
            self.emissions.leave(job)
        job.computed = 0
        self.preemptions += 1
        self.waiting.appendleft(job)

    def start_decoding(self, job: Job) -> None:
        """A prefilling job has yielded a token and wants more."""
        self.memory.join(job, job.target, self.decodes.step)
        self.decodes.join(job)
        self.emissions.join(job)

    def decode(self, steps: int) -> list[Job]:
        """All decodes take so many steps; returns the jobs that are finished, whose memory is free again."""
        decodes, memory = self.decodes, self.memory
        memory.grow(decodes.step, steps)
        finished = list(decodes.advance(steps))
        for job in finished:
            memory.leave(job, decodes.held_tokens(job), decodes.step)
            self.emissions.leave(job)
        return finished
