"""vLLM v1's scheduler: decodes and prompts share one budget of tokens."""

from __future__ import annotations

from dataclasses import dataclass

from burstlab.errors import BurstlabError
from burstlab.simulator.engine import Engine
from burstlab.simulator.job import Job
from burstlab.simulator.scheduling.policy import DECODE, DECODE_ONCE, Plan
from burstlab.simulator.scheduling.room import make_room, room_left


@dataclass(frozen=True, slots=True)
class VllmV1:
    """`Scheduler.schedule` in vllm/v1/core/sched/scheduler.py, 0.32, without prefix caching or speculation.

    Running requests come first, in the order of admission; a decode takes one token. Waiting ones are admitted in order while
    the budget, the number of sequences and memory allow; memory must hold the whole prompt, but only the chunk's blocks are taken
    (`scheduler_reserve_full_isl`). After a preemption none is admitted in the same iteration. With `chunked_prefill` a prompt
    takes what is left of the budget, without it the prompt waits until all of it fits.
    """

    max_batched_tokens: int
    max_sequences: int
    chunked_prefill: bool = True

    def __post_init__(self) -> None:
        if not 1 <= self.max_sequences <= self.max_batched_tokens:
            raise BurstlabError(
                f"max_sequences is {self.max_sequences} and max_batched_tokens {self.max_batched_tokens}; "
                "there must be a sequence, and a token for each"
            )

    def plan(self, engine: Engine) -> Plan:
        """The next iteration."""
        preempted = make_room(engine)
        budget, room = self.max_batched_tokens - len(engine.decodes.jobs), room_left(engine)
        chunks: list[tuple[Job, int]] = []
        for job in tuple(engine.prefilling):  # at most one: nothing is admitted behind a prompt that was cut
            tokens = min(job.target - job.computed, budget)
            blocks = engine.memory.needs(job, job.computed + tokens)
            if blocks > room:
                engine.preempt_last()
                preempted = True
            elif tokens:
                engine.memory.take(job, job.computed + tokens)
                chunks.append((job, tokens))
                budget, room = budget - tokens, room - blocks
        if engine.waiting and not preempted:
            self._admit(engine, chunks, budget, room)
        if chunks:
            return Plan(chunks, bool(engine.decodes.jobs), 1)
        if not engine.decodes.jobs:
            return Plan((), False)
        return DECODE_ONCE if preempted or engine.prefilling else DECODE

    def _admit(self, engine: Engine, chunks: list[tuple[Job, int]], budget: int, room: int) -> None:
        memory = engine.memory
        while engine.waiting and budget and engine.running < self.max_sequences:
            job = engine.waiting[0]
            tokens = min(job.target, budget)
            if tokens < job.target and not self.chunked_prefill:
                return
            if memory.needs(job, job.target) > room:
                return
            room -= memory.needs(job, tokens)
            memory.take(job, tokens)
            chunks.append((engine.admit_next(), tokens))
            budget -= tokens
