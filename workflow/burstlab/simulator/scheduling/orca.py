"""Orca: iteration-level scheduling of whole prompts."""

from __future__ import annotations

from dataclasses import dataclass

from burstlab.errors import BurstlabError
from burstlab.simulator.engine import Engine
from burstlab.simulator.job import Job
from burstlab.simulator.scheduling.policy import DECODE, Plan


@dataclass(frozen=True, slots=True)
class Orca:
    """Decodes and whole prompts run together, without a limit on tokens (Orca, OSDI 2022, algorithm 1).

    A job is admitted in order when a sequence and its memory are free. Orca reserves the longest sequence, so pair it with
    `memory.reserved.Reserved`; it never preempts, so memory that runs out all the same is a BurstlabError.
    """

    max_sequences: int

    def plan(self, engine: Engine) -> Plan:
        """The next iteration."""
        memory = engine.memory
        if memory.growth(engine.decodes.step, 1) > memory.free:
            raise BurstlabError(
                "Orca never preempts, and its decodes have outgrown the memory: reserve it for them"
            )
        chunks: list[tuple[Job, int]] = []
        while engine.waiting and engine.running < self.max_sequences:
            job = engine.waiting[0]
            if memory.needs(job, job.target) > memory.free:
                break
            memory.take(job, job.target)
            chunks.append((engine.admit_next(), job.target))
        if chunks:
            return Plan(chunks, bool(engine.decodes.jobs), 1)
        return DECODE if engine.decodes.jobs else Plan((), False)
