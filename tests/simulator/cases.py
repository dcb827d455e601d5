"""Arbitrary small runs, for what must hold of every run."""

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

from hypothesis import strategies as st
from tests.simulator.made import Ticks, sent, served

from burstlab.simulator.loop import Delays, Run
from burstlab.simulator.memory.allocator import Allocator
from burstlab.simulator.memory.buddy import Buddy
from burstlab.simulator.memory.contiguous import Contiguous
from burstlab.simulator.memory.first_fit import FirstFit
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.memory.reservations import longest, oracle, power_of_two
from burstlab.simulator.memory.reserved import Reserved
from burstlab.simulator.requests import Requests
from burstlab.simulator.scheduling.orca import Orca
from burstlab.simulator.scheduling.policy import FOREVER, Policy
from burstlab.simulator.scheduling.sarathi import Sarathi
from burstlab.simulator.scheduling.skip_join_mlfq import SkipJoinMlfq
from burstlab.simulator.scheduling.vllm_v0 import VllmV0
from burstlab.simulator.scheduling.vllm_v1 import VllmV1

# Every request has at most 32 + 32 tokens, which fill 16 blocks of 4. A preempted one must fit the budget again.
LONGEST = 32
POLICIES: tuple[Policy, ...] = (
    VllmV1(40, 4),
    VllmV1(80, 4, chunked_prefill=False),
    VllmV0(80, 4),
    Sarathi(12, 4),
    Orca(4),
    SkipJoinMlfq(Ticks(), 80, 4, quantum_ps=30, levels=3, starving_ps=200, look_every=3),
)


# Orca's memory: as many blocks of 4, or slots of a token in their place.
RESERVES: tuple[Callable[[int], Allocator], ...] = (
    lambda blocks: Reserved(blocks, 2 * LONGEST, 4),
    lambda blocks: Contiguous(longest(2 * LONGEST), FirstFit(4 * blocks)),
    lambda blocks: Contiguous(power_of_two, FirstFit(4 * blocks)),
    lambda blocks: Contiguous(oracle, Buddy(4 * blocks)),
)


@dataclass(frozen=True)
class Case:
    requests: Requests
    policy: Policy
    blocks: int
    costs: Ticks
    delays: Delays
    reserves: Callable[[int], Allocator]

    @property
    def stateful(self) -> bool:
        """Whether the policy remembers what has run, so that it serves one run."""
        return isinstance(self.policy, SkipJoinMlfq)

    def memory(self) -> Allocator:
        if isinstance(self.policy, Orca):
            return self.reserves(self.blocks)
        return Paged(self.blocks, 4)

    def run(self, longest_stretch: int = FOREVER) -> Run:
        return served(
            self.requests,
            deepcopy(self.policy),  # some remember what has run
            self.memory(),
            self.costs,
            self.delays,
            longest_stretch,
        )


_LENGTH = st.integers(1, LONGEST)
_GAP = st.one_of(st.just(0), st.integers(0, 400))
_SENT = st.lists(st.tuples(_GAP, _LENGTH, _LENGTH), min_size=1, max_size=12)


def _requests(rows: list[tuple[int, int, int]]) -> Requests:
    now, placed = 0, []
    for gap, prompt, output in rows:
        now += gap
        placed.append((now, prompt, output))
    return sent(*placed)


CASES = st.builds(
    Case,
    requests=_SENT.map(_requests),
    policy=st.sampled_from(POLICIES),
    blocks=st.sampled_from([18, 24, 40, 200]),  # 18: little more than one request fills
    costs=st.builds(
        Ticks,
        base=st.integers(1, 30),
        context=st.integers(0, 3),
        decode_token=st.integers(0, 3),
        prompt_token=st.integers(0, 3),
        holds=st.sampled_from([1, 5, FOREVER]),
    ),
    delays=st.builds(
        Delays,
        ingress_ps=st.integers(0, 9),
        pause_ps=st.integers(0, 9),
        pause_each_ps=st.integers(0, 3),
        egress_ps=st.integers(0, 9),
    ),
    reserves=st.sampled_from(RESERVES),
)
