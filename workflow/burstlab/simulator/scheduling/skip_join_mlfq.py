"""FastServe's skip-join multi-level feedback queue."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from burstlab.errors import BurstlabError
from burstlab.simulator.clock import PS_PER_MS
from burstlab.simulator.costs.interface import Costs
from burstlab.simulator.engine import Engine
from burstlab.simulator.job import Job
from burstlab.simulator.scheduling.policy import Plan


@dataclass(slots=True)
class SkipJoinMlfq:
    """Jobs that have had little time come first (FastServe, arXiv:2305.05920, sections 4.1 and 4.2).

    Level i has a quantum of `quantum_ps`·2^i. A job joins the first level whose quantum covers its prompt alone, by `costs`, and
    goes to the end of the next one when it has had more than its level's quantum there. One that did not run for
    `starving_ps` returns to the first, which is looked at every `look_every` iterations. An iteration takes jobs from
    the highest levels, in order: decodes, and whole prompts, up to `max_batched_tokens` tokens. Where memory runs short,
    the jobs with the lowest places give theirs up, to the host's memory, and get it back before they go on. That
    takes no time here: FastServe swaps ahead so as to hide it.

    An object serves one run.
    """

    costs: Costs
    max_batched_tokens: int = 2048
    max_sequences: int = 16
    quantum_ps: int = 10 * PS_PER_MS
    levels: int = 8
    starving_ps: int = 3000 * PS_PER_MS
    look_every: int = 1000
    swaps: int = field(init=False, default=0)
    _queues: list[dict[Job, None]] = field(init=False, repr=False)
    _level: dict[Job, int] = field(init=False, repr=False, default_factory=dict)
    _spent_ps: dict[Job, int] = field(init=False, repr=False, default_factory=dict)
    _ran_ps: dict[Job, int] = field(init=False, repr=False, default_factory=dict)
    _batch: list[Job] = field(init=False, repr=False, default_factory=list)
    _began_ps: int = field(init=False, repr=False, default=0)
    _iterations: int = field(init=False, repr=False, default=0)
    _known: int = field(init=False, repr=False, default=-1)

    def __post_init__(self) -> None:
        if min(self.max_sequences, self.max_batched_tokens, self.levels, self.quantum_ps) < 1:
            raise BurstlabError(f"{self}: sequences, tokens, levels and quantum must be at least 1")
        self._queues = [{} for _ in range(self.levels)]

    def plan(self, engine: Engine) -> Plan:
        """The next iteration."""
        unfinished = list(engine.decodes.jobs)
        for job in unfinished:
            engine.set_aside(job)
        self._charge(unfinished, engine.now_ps)
        self._join(engine)
        if self._iterations % self.look_every == 0:
            self._rescue(engine.now_ps)
        chunks = self._select(engine)
        self._batch, self._began_ps = [job for job, _ in chunks] + list(engine.decodes.jobs), engine.now_ps
        self._iterations += bool(self._batch)
        return Plan(chunks, bool(engine.decodes.jobs), 1)

    def _charge(self, unfinished: list[Job], now_ps: int) -> None:
        """The last batch has had the time since it began."""
        for job in set(self._batch).difference(unfinished):
            del self._queues[self._level.pop(job)][job], self._spent_ps[job], self._ran_ps[job]
        for job in unfinished:
            self._spent_ps[job] += now_ps - self._began_ps
            self._ran_ps[job] = now_ps
            level = self._level[job]
            if self._spent_ps[job] > self.quantum_ps << level and level + 1 < self.levels:
                self._move(job, level + 1)

    def _join(self, engine: Engine) -> None:
        """Jobs that have arrived since, the last of the waiting ones, get their level."""
        for job in engine.waiting:
            if job.request > self._known:
                self._known = job.request
                prompt_ps = self.costs.mixed(0, 0, ((job.target, 0),))
                fitting = (level for level in range(self.levels) if self.quantum_ps << level >= prompt_ps)
                self._level[job] = level = next(fitting, self.levels - 1)
                self._queues[level][job] = None
                self._spent_ps[job], self._ran_ps[job] = 0, engine.now_ps

    def _rescue(self, now_ps: int) -> None:
        """Jobs that did not run for long return to the first level."""
        for job in self._in_order():
            if self._level[job] > 0 and now_ps - self._ran_ps[job] >= self.starving_ps:
                self._move(job, 0)

    def _move(self, job: Job, level: int) -> None:
        del self._queues[self._level[job]][job]
        self._level[job], self._spent_ps[job] = level, 0
        self._queues[level][job] = None

    def _in_order(self) -> Iterator[Job]:
        return iter([job for queue in self._queues for job in queue])

    def _select(self, engine: Engine) -> list[tuple[Job, int]]:
        """Take jobs in order while the batch and memory allow; returns the prompts among them."""
        order, waiting = list(self._in_order()), set(engine.waiting)
        chunks: list[tuple[Job, int]] = []
        tokens = taken = 0
        kept_blocks = 0  # for the next token of each decode
        decodes: list[Job] = []
        for place, job in enumerate(order):
            new = job in waiting
            more = job.target if new else 1
            if taken == self.max_sequences:
                break
            if tokens + more > self.max_batched_tokens:
                continue
            blocks = engine.memory.needs(job, job.target if new else job.computed + 1)
            if not self._make_room(engine, blocks + kept_blocks, order[place + 1 :]):
                break
            taken, tokens = taken + 1, tokens + more
            if new:
                engine.memory.take(job, job.target)
                engine.admit(job)
                chunks.append((job, job.target))
            else:
                engine.memory.take(job, job.computed)
                kept_blocks += engine.memory.needs(job, job.computed + 1)
                decodes.append(job)
        for job in decodes:
            engine.resume(job)
        return chunks

    def _make_room(self, engine: Engine, blocks: int, behind: list[Job]) -> bool:
        """Free so many blocks, from jobs that come later, the last first; says whether that was enough."""
        for job in reversed(behind):
            if engine.memory.free >= blocks:
                break
            if job.blocks:
                engine.memory.release(job)
                self.swaps += 1
        return engine.memory.free >= blocks
