"""vLLM v0's default scheduler: prompts first, and alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

from burstlab.simulator.engine import Engine
from burstlab.simulator.job import Job
from burstlab.simulator.scheduling.policy import DECODE, DECODE_ONCE, Plan
from burstlab.simulator.scheduling.room import make_room


@dataclass(frozen=True, slots=True)
class VllmV0:
    """While a waiting prompt fits, a batch of whole prompts and nothing else; otherwise all decodes take a step.

    Prompts fit up to `max_batched_tokens` in sum, and as long as a share `watermark` of all blocks stays free
    (`_schedule_default` in vllm/core/scheduler.py, 0.6).
    """

    max_batched_tokens: int
    max_sequences: int
    watermark: float = 0.01

    def plan(self, engine: Engine) -> Plan:
        """The next iteration."""
        chunks = self._admit(engine) if engine.waiting else []
        if chunks:
            return Plan(chunks, False, 1)
        preempted = make_room(engine)
        if not engine.decodes.jobs:
            return Plan((), False)
        return DECODE_ONCE if preempted else DECODE

    def _admit(self, engine: Engine) -> list[tuple[Job, int]]:
        memory, budget = engine.memory, self.max_batched_tokens
        kept = math.ceil(self.watermark * memory.blocks)
        chunks: list[tuple[Job, int]] = []
        while engine.waiting and engine.running < self.max_sequences:
            job = engine.waiting[0]
            if job.target > budget or memory.free - memory.needs(job, job.target) < kept:
                break
            memory.take(job, job.target)
            chunks.append((engine.admit_next(), job.target))
            budget -= job.target
        return chunks
