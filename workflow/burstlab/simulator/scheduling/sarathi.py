"""Sarathi-Serve: stall-free batches."""

from __future__ import annotations

import math
from dataclasses import dataclass

from burstlab.errors import BurstlabError
from burstlab.simulator.engine import Engine
from burstlab.simulator.job import Job
from burstlab.simulator.scheduling.policy import DECODE, DECODE_ONCE, Plan
from burstlab.simulator.scheduling.room import make_room, room_left


@dataclass(frozen=True, slots=True)
class Sarathi:
    """Each iteration has at most `token_budget` tokens (Sarathi-Serve, OSDI 2024, algorithm 3).

    First all decodes, then the rest of prompts that were begun, then new ones in order. A new one takes memory for its whole
    prompt at once, and a share `watermark` of all blocks stays free.
    """

    token_budget: int
    max_sequences: int
    watermark: float = 0.01

    def __post_init__(self) -> None:
        if not 1 <= self.max_sequences <= self.token_budget:
            raise BurstlabError(
                f"max_sequences is {self.max_sequences} and token_budget {self.token_budget}; "
                "there must be a sequence, and a token for each"
            )

    def plan(self, engine: Engine) -> Plan:
        """The next iteration."""
        preempted = make_room(engine)
        chunks: list[tuple[Job, int]] = []
        if engine.prefilling or engine.waiting:
            budget = self.token_budget - len(engine.decodes.jobs)
            for job in engine.prefilling:
                tokens = min(job.target - job.computed, budget)
                if tokens:
                    chunks.append((job, tokens))
                    budget -= tokens
            self._admit(engine, chunks, budget)
        if chunks:
            return Plan(chunks, bool(engine.decodes.jobs), 1)
        if not engine.decodes.jobs:
            return Plan((), False)
        return DECODE_ONCE if preempted else DECODE

    def _admit(self, engine: Engine, chunks: list[tuple[Job, int]], budget: int) -> None:
        memory = engine.memory
        room = room_left(engine) - math.ceil(self.watermark * memory.blocks)
        while engine.waiting and budget and engine.running < self.max_sequences:
            job = engine.waiting[0]
            blocks = memory.needs(job, job.target)
            if blocks > room:
                return
            memory.take(job, job.target)
            room -= blocks
            tokens = min(job.target, budget)
            chunks.append((engine.admit_next(), tokens))
            budget -= tokens
