"""What holds of every run, whatever the policy, the memory and the costs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.simulator.cases import CASES, Case
from tests.simulator.made import Ticks, events, sent, served, token_times

from burstlab.simulator.loop import Delays
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import Requests
from burstlab.simulator.scheduling.policy import Policy
from burstlab.simulator.scheduling.vllm_v0 import VllmV0
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.stretch import total_ps
from burstlab.simulator.tables import iterations_table, requests_table


@given(CASES, st.integers(1, 7))
def test_iterations_taken_at_once_are_those_taken_one_by_one(case: Case, longest: int) -> None:
    at_once, one_by_one = case.run(), case.run(longest_stretch=1)
    assert events(at_once) == events(one_by_one)
    assert token_times(at_once) == token_times(one_by_one)
    assert at_once.end_ps == one_by_one.end_ps
    assert token_times(case.run(longest_stretch=longest)) == token_times(one_by_one)


@given(CASES)
def test_tokens_are_conserved(case: Case) -> None:
    run, asked = case.run(), case.requests
    context = sum(event[2] for event in events(run))
    generation = sum(event[3] for event in events(run))
    # The first token of each comes with its prompt. What is computed again after a preemption comes on top.
    prompts, decoded = int(asked.prompt_tokens.sum()), int((asked.output_tokens - 1).sum())
    if run.preemptions == 0:
        assert (context, generation) == (prompts, decoded)
    else:
        assert context >= prompts
        assert context + generation > prompts + decoded - run.preemptions


@given(CASES)
def test_every_request_is_served_after_it_arrives(case: Case) -> None:
    run = case.run()
    arrived_ps = case.requests.send_ps + case.delays.ingress_ps
    assert (run.first_token_ps >= arrived_ps + case.costs.base).all()
    least_ps = (case.requests.output_tokens - 1) * (
        case.costs.base + case.delays.pause_ps + case.delays.pause_each_ps
    )
    assert (run.last_token_ps - run.first_token_ps >= least_ps).all()


@given(CASES)
def test_the_engine_never_idles_with_work_waiting(case: Case) -> None:
    run, now = case.run(), 0
    assert run.iterations is not None
    arrived_ps = case.requests.send_ps + case.delays.ingress_ps
    columns = run.iterations.stretches()
    requests = columns["context_requests"] + columns["generation_requests"]
    for row, start in enumerate(columns["start_ps"].tolist()):
        # It goes on at once, or there is nobody to serve and it starts when the next one arrives.
        unserved = (arrived_ps <= now) & (run.last_token_ps >= start)
        assert start == now or (not unserved.any() and (arrived_ps == start).any())
        pause = case.delays.pause_ps + case.delays.pause_each_ps * int(requests[row])
        taken = total_ps(columns["first_ps"][row] + pause, columns["growth_ps"][row], columns["steps"][row])
        now = start + int(taken)


@given(CASES)
def test_memory_is_never_exceeded_and_all_free_at_the_end(case: Case) -> None:
    blocks = [event[4] for event in events(case.run())]
    assert 0 <= min(blocks) <= max(blocks) <= case.memory().blocks
    assert blocks[-1] == 0


@given(CASES)
def test_the_same_run_gives_the_same_bytes(case: Case) -> None:
    first, second = case.run(), case.run()
    assert requests_table(first).equals(requests_table(second))
    assert iterations_table(first).equals(iterations_table(second))


@given(CASES)
def test_gaps_are_those_between_the_ends_of_iterations_that_decode(case: Case) -> None:
    run = case.run()
    if run.preemptions or case.stateful:
        return  # then not all that have begun decode in each iteration
    ends = np.array([start + elapsed for start, elapsed, _, generation, _ in events(run) if generation])
    for first, last, longest in token_times(run):
        between = ends[(ends > first) & (ends <= last)] if ends.size else ends
        expected = int(np.diff([first, *between]).max()) if between.size else -1
        assert longest == expected


# Waiting is from arrival to the first token. Where one request is served at a time, in order, each has its time of service, and
# Lindley's recursion says that arrivals which come closer never shorten any wait. In a batch this need not be so.
ONE_AT_A_TIME: tuple[Policy, ...] = (VllmV1(80, 1), VllmV0(80, 1))
_ROWS = st.lists(
    st.tuples(st.integers(0, 900), st.integers(1, 32), st.integers(1, 9)), min_size=1, max_size=12
)


@pytest.mark.parametrize("policy", ONE_AT_A_TIME, ids=lambda policy: type(policy).__name__)
@given(rows=_ROWS, faster=st.integers(1, 9))
def test_more_load_never_shortens_waiting_when_served_one_by_one(
    policy: Policy, rows: list[tuple[int, int, int]], faster: int
) -> None:
    gaps, prompts, outputs = np.array(rows).T

    def waits(gaps_ps: np.ndarray) -> np.ndarray:
        requests = Requests(np.cumsum(gaps_ps), prompts, outputs)
        run = served(requests, policy, Paged(200), Ticks(context=1), Delays())
        waited: np.ndarray = run.first_token_ps - requests.send_ps
        return waited

    assert (waits(gaps * (10 - faster) // 10) >= waits(gaps)).all()


def test_in_a_batch_more_load_may_shorten_waiting() -> None:
    # The second request just misses the iteration that starts at 15, or just catches it.
    apart, closer = sent((0, 10, 9), (16, 10, 1)), sent((0, 10, 9), (15, 10, 1))
    late, early = served(apart, costs=Ticks(base=5)), served(closer, costs=Ticks(base=5))
    assert (late.first_token_ps - apart.send_ps).tolist() == [15, 19]
    assert (early.first_token_ps - closer.send_ps).tolist() == [15, 15]
