"""The event loop. All of the engine's life is here: jobs arrive, the policy plans, an iteration runs, tokens leave."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.interface import FOREVER, Costs
from burstlab.simulator.emissions import Emissions
from burstlab.simulator.engine import Engine
from burstlab.simulator.iteration_log import IterationLog
from burstlab.simulator.job import Job
from burstlab.simulator.memory.allocator import Allocator
from burstlab.simulator.requests import Requests
from burstlab.simulator.scheduling.policy import Plan, Policy
from burstlab.simulator.stretch import steps_to_reach, total_ps

Arrival = tuple[int, Job | None]
"""When it is there, in ps, and who; nobody where it is only a time to stop at."""


@dataclass(frozen=True, slots=True)
class Delays:
    """Time that passes outside iterations, in ps.

    `ingress_ps` from sending a request until the scheduler sees it, `egress_ps` from a token until the client has it. Between an
    iteration's tokens and the start of the next one `pause_ps`, and `pause_each_ps` more for each request that was in it.
    """

    ingress_ps: int = 0
    pause_ps: int = 0
    pause_each_ps: int = 0
    egress_ps: int = 0


@dataclass(frozen=True, slots=True)
class Run:
    """What came of it: when tokens left the engine, without egress; an item a request; iterations if they were asked for."""

    requests: Requests
    delays: Delays
    first_token_ps: np.ndarray
    last_token_ps: np.ndarray
    longest_gap_ps: np.ndarray
    preemptions: int
    end_ps: int
    blocks: int
    iterations: IterationLog | None


def simulate(
    requests: Requests,
    policy: Policy,
    memory: Allocator,
    costs: Costs,
    delays: Delays = Delays(),
    *,
    log_iterations: bool = True,
    longest_stretch: int = FOREVER,
) -> Run:
    """Serve all `requests` and say when their tokens came.

    As long as no job arrives or finishes, iterations of decodes alone differ only in the length of the context; up to
    `longest_stretch` of them are taken at once, which changes nothing but the time that the simulation takes. `memory` must be
    empty.
    Raises BurstlabError when a request can never be served.
    """
    check_lengths(requests, memory)
    loop = Loop(memory, len(requests.send_ps), costs, delays, log_iterations=log_iterations)
    serving = loop.run(policy, longest_stretch)
    next(serving)
    for arrival in _arrivals(requests, delays):
        try:
            serving.send(arrival)
        except StopIteration:
            break
    return loop.outcome(requests)


def check_lengths(requests: Requests, memory: Allocator) -> None:
    """BurstlabError if a request is longer than memory."""
    # The last token's keys and values are never stored.
    tokens = requests.prompt_tokens + requests.output_tokens - 1
    if (tokens > memory.most_tokens()).any():
        longest = int(tokens.argmax())
        raise BurstlabError(
            f"request {longest} has {requests.prompt_tokens[longest]} + {requests.output_tokens[longest]} tokens; "
            f"memory holds {memory.most_tokens()}"
        )


class Loop:
    """One engine, which may get as many as `requests` requests. `now` is a time at which no iteration runs."""

    def __init__(
        self, memory: Allocator, requests: int, costs: Costs, delays: Delays, *, log_iterations: bool = True
    ) -> None:
        self.engine = Engine(memory, Emissions(requests))
        self.costs, self.delays = costs, delays
        self.log = IterationLog() if log_iterations else None
        self.now = 0
        self._unfinished = self._just_finished = self._ended_ps = 0

    def unfinished(self, now_ps: int) -> int:
        """Requests that are there at `now_ps`, which the last iteration may have passed, and have not got their last token."""
        return self._unfinished + (self._just_finished if self._ended_ps > now_ps else 0)

    def outcome(self, requests: Requests) -> Run:
        """What came of the requests that it got, once all are served."""
        emissions, served = self.engine.emissions, len(requests.send_ps)
        return Run(
            requests=requests,
            delays=self.delays,
            first_token_ps=np.array(emissions.first_ps)[:served],
            last_token_ps=np.array(emissions.last_ps)[:served],
            longest_gap_ps=emissions.longest_gaps_ps()[:served],
            preemptions=self.engine.preemptions,
            end_ps=self.now,
            blocks=self.engine.memory.blocks,
            iterations=self.log,
        )

    def run(self, policy: Policy, longest_stretch: int = FOREVER) -> Generator[None, Arrival, None]:
        """Serve what is sent in: jobs with the times at which they are there, in order, and (FOREVER, None) as the last.

        It runs until the time of what was sent last has come, and then asks for the next. A time without a job is one to stop at.
        """
        engine, waiting = self.engine, self.engine.waiting
        arrival_ps, job = yield
        while True:
            while arrival_ps <= self.now:
                if job:
                    waiting.append(job)
                    self._unfinished += 1
                arrival_ps, job = yield
            preemptions, engine.now_ps = engine.preemptions, self.now
            plan = policy.plan(engine)
            if plan.chunks:
                self._mixed(plan)
            elif plan.decode:
                self._decode(min(plan.holds, longest_stretch), arrival_ps)
            elif arrival_ps < FOREVER:
                self.now = max(self.now, arrival_ps)
            elif not waiting:
                return
            elif engine.preemptions == preemptions:
                raise BurstlabError(
                    f"request {waiting[0].request} is never scheduled: its {waiting[0].target} tokens fit neither memory "
                    f"of {engine.memory.blocks} blocks nor the limits of {policy}"
                )

    def _decode(self, most: int, arrival_ps: int) -> None:
        """Take as many iterations of decodes alone as nothing disturbs: until a job finishes or arrives, or memory runs short."""
        decodes, memory = self.engine.decodes, self.engine.memory
        pause_ps = self._pause_ps(len(decodes.jobs))
        first_ps, growth_ps, holds = self.costs.decode(len(decodes.jobs), decodes.context)
        steps = min(most, holds, decodes.steps_left())
        if self.now + total_ps(first_ps + pause_ps, growth_ps, steps) > arrival_ps:
            steps = min(steps, steps_to_reach(first_ps + pause_ps, growth_ps, arrival_ps - self.now))
        while steps > 1 and memory.growth(decodes.step, steps) > memory.free:
            steps //= 2
        self._advance(first_ps, growth_ps, steps, ())

    def _mixed(self, plan: Plan) -> None:
        """One iteration with chunks of prompts."""
        decodes = self.engine.decodes
        chunks = [(tokens, job.computed) for job, tokens in plan.chunks]
        if plan.decode:
            elapsed_ps = self.costs.mixed(len(decodes.jobs), decodes.context, chunks)
        else:
            elapsed_ps = self.costs.mixed(0, 0, chunks)
        self._advance(elapsed_ps, 0, 1, plan.chunks, decode=plan.decode)

    def _advance(
        self,
        first_ps: int,
        growth_ps: int,
        steps: int,
        chunks: Sequence[tuple[Job, int]],
        decode: bool = True,
    ) -> None:
        engine, start_ps = self.engine, self.now
        decoding, finished = len(engine.decodes.jobs) if decode else 0, 0
        pause_ps = self._pause_ps(decoding + len(chunks))
        end_ps = start_ps + total_ps(first_ps + pause_ps, growth_ps, steps) - pause_ps
        if self.log:
            self.log.add(start_ps, first_ps, growth_ps, steps, decoding, chunks)
            self._log_blocks(steps - 1)
        if decoding:
            later_ps = first_ps + pause_ps + growth_ps * (steps - 1) if steps > 1 else 0
            engine.emissions.stretch(start_ps + first_ps, later_ps, end_ps)
            finished = len(engine.decode(steps))
        if chunks:
            finished += self._compute(chunks, end_ps)
        if self.log:
            self.log.blocks.append(engine.memory.blocks - engine.memory.free)
        self._unfinished -= finished
        self._just_finished, self._ended_ps = finished, end_ps
        self.now = end_ps + pause_ps

    def _pause_ps(self, requests: int) -> int:
        return self.delays.pause_ps + self.delays.pause_each_ps * requests

    def _log_blocks(self, steps: int) -> None:
        memory, step = self.engine.memory, self.engine.decodes.step
        used = memory.blocks - memory.free
        for taken in range(1, steps + 1):
            self.log.blocks.append(used + memory.growth(step, taken))  # type: ignore[union-attr]

    def _compute(self, chunks: Iterable[tuple[Job, int]], end_ps: int) -> int:
        """The chunks are computed: jobs whose prompt is complete yield a token and decode, or are finished, which are counted."""
        engine, finished = self.engine, 0
        for job, tokens in chunks:
            job.computed += tokens
            if job.computed < job.target:
                continue
            engine.prefilling.remove(job)
            engine.emissions.prefilled(job, end_ps)
            job.generated += 1
            if job.generated < job.output:
                engine.start_decoding(job)
            else:
                engine.memory.release(job)
                finished += 1
        return finished


def _arrivals(requests: Requests, delays: Delays) -> Iterator[Arrival]:
    columns = (requests.send_ps + delays.ingress_ps, requests.prompt_tokens, requests.output_tokens)
    for number, (arrival_ps, prompt, output) in enumerate(
        zip(*(column.tolist() for column in columns), strict=True)
    ):
        yield arrival_ps, Job(number, prompt, output)
    yield FOREVER, None
