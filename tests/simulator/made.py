"""Tiny engines with whole-numbered costs, for event logs that can be worked out by hand."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from burstlab.simulator.costs.interface import FOREVER, Costs, Line
from burstlab.simulator.loop import Delays, Run, simulate
from burstlab.simulator.memory.allocator import Allocator
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import Requests
from burstlab.simulator.scheduling.policy import Policy
from burstlab.simulator.scheduling.vllm_v1 import VllmV1


@dataclass(frozen=True)
class Ticks:
    """Costs in ps: `base` an iteration, and so much for each token of context, decode and prompt."""

    base: int = 10
    context: int = 0
    decode_token: int = 0
    prompt_token: int = 1
    holds: int = FOREVER

    def decode(self, decodes: int, context_tokens: int) -> Line:
        first = self.base + self.decode_token * decodes + self.context * context_tokens
        return Line(first, self.context * decodes, self.holds)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        prompts = sum(tokens * (1 + self.context * past) for tokens, past in chunks)
        return self.decode(decodes, context_tokens).first_ps + self.prompt_token * prompts


def sent(*rows: tuple[int, int, int]) -> Requests:
    """Rows of send time in ps, prompt tokens, output tokens."""
    columns = np.array(rows, dtype=np.int64).reshape(-1, 3).T
    return Requests(*columns)


def served(
    requests: Requests,
    policy: Policy | None = None,
    memory: Allocator | None = None,
    costs: Costs | None = None,
    delays: Delays | None = None,
    longest_stretch: int = FOREVER,
) -> Run:
    """Served by vLLM v1 with plenty of everything, unless something else is given."""
    return simulate(
        requests,
        policy or VllmV1(1000, 100),
        memory or Paged(1000),
        costs or Ticks(),
        delays or Delays(),
        longest_stretch=longest_stretch,
    )


def events(run: Run) -> list[tuple[int, int, int, int, int]]:
    """Each iteration: start, duration, context tokens, generation tokens, blocks in use after it."""
    assert run.iterations is not None
    columns = run.iterations.stretches()
    rows = []
    names = (
        "start_ps",
        "first_ps",
        "growth_ps",
        "steps",
        "context_tokens",
        "generation_tokens",
        "generation_requests",
    )
    for start, first, growth, steps, context, generation, decodes in zip(
        *(columns[name].tolist() for name in names), strict=True
    ):
        at = start
        for step in range(steps):
            rows.append((at, first + growth * step, context, generation, run.iterations.blocks[len(rows)]))
            at += first + growth * step + run.delays.pause_ps + run.delays.pause_each_ps * decodes
    return rows


def token_times(run: Run) -> list[tuple[int, int, int]]:
    """Of each request: first token, last token, longest gap."""
    columns = (run.first_token_ps, run.last_token_ps, run.longest_gap_ps)
    return list(zip(*(column.tolist() for column in columns), strict=True))
