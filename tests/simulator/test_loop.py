"""Whole runs, iteration by iteration, worked out by hand. An iteration takes 10, and 1 more for each prompt token."""

import pytest
from tests.simulator.made import Ticks, events, sent, served, token_times

from burstlab.errors import BurstlabError
from burstlab.simulator.loop import Delays
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.scheduling.vllm_v1 import VllmV1


def test_one_request() -> None:
    run = served(sent((5, 20, 3)))
    # Blocks of 16: 20 tokens fill two. The last token needs no place, and then all is free.
    assert events(run) == [(5, 30, 20, 0, 2), (35, 10, 0, 1, 2), (45, 10, 0, 1, 0)]
    assert token_times(run) == [(35, 55, 10)]
    assert run.end_ps == 55


def test_a_request_of_one_token_ends_with_its_prompt() -> None:
    run = served(sent((0, 4, 1)))
    assert events(run) == [(0, 14, 4, 0, 0)]
    assert token_times(run) == [(14, 14, -1)]


def test_an_arrival_waits_for_the_iteration_under_way_and_delays_the_decodes() -> None:
    run = served(sent((0, 10, 4), (21, 6, 2)))
    assert events(run) == [
        (0, 20, 10, 0, 1),
        (20, 10, 0, 1, 1),
        (30, 16, 6, 1, 2),  # mixed
        (46, 10, 0, 2, 0),  # both finish
    ]
    assert token_times(run) == [(20, 56, 16), (46, 56, 10)]


def test_who_arrives_at_the_end_of_an_iteration_joins_the_next() -> None:
    run = served(sent((0, 10, 4), (30, 6, 2)))
    assert [event[0] for event in events(run)] == [0, 20, 30, 46]


def test_the_engine_idles_until_the_next_arrival() -> None:
    run = served(sent((0, 10, 1), (100, 10, 1)))
    assert [event[:2] for event in events(run)] == [(0, 20), (100, 20)]


def test_iterations_lengthen_with_the_context() -> None:
    run = served(sent((0, 10, 4)), costs=Ticks(context=2))
    # 10 tokens of context before the first step of the decode, then 11, then 12.
    assert [event[1] for event in events(run)] == [20, 30, 32, 34]
    assert token_times(run) == [(20, 116, 34)]


def test_delays_shift_tokens_and_stretch_gaps() -> None:
    run = served(sent((5, 20, 3)), delays=Delays(ingress_ps=3, pause_ps=2, egress_ps=7))
    assert [event[:2] for event in events(run)] == [(8, 30), (40, 10), (52, 10)]
    assert token_times(run) == [(38, 62, 12)]
    assert run.end_ps == 64


def test_a_pause_may_grow_with_the_batch() -> None:
    run = served(sent((0, 20, 2), (0, 10, 4)), delays=Delays(pause_ps=1, pause_each_ps=2))
    # Two requests pause for 5, one alone for 3.
    assert [event[:2] for event in events(run)] == [(0, 40), (45, 10), (60, 10), (73, 10)]


def test_an_arrival_during_a_pause_is_seen_after_it() -> None:
    run = served(sent((0, 10, 3), (31, 5, 1)), delays=Delays(pause_ps=5))
    assert [event[:2] for event in events(run)] == [(0, 20), (25, 10), (40, 15)]


def test_a_preempted_request_is_computed_again_and_waits_in_front() -> None:
    # Three blocks of 4. Both prompts fill one; each wants a second one for its next token, and one is left.
    run = served(sent((0, 4, 3), (0, 4, 3), (0, 4, 1)), memory=Paged(3, 4), policy=VllmV1(8, 4))
    assert run.preemptions == 1
    assert events(run) == [
        (0, 18, 8, 0, 2),
        (18, 10, 0, 1, 2),  # request 1 is preempted, and none is admitted in the same iteration
        # It has a token already: 5 are computed again, which fill two blocks; one is free until request 0 ends.
        (28, 10, 0, 1, 0),
        (38, 18, 3, 5, 3),  # its 5 tokens count as generation; 3 of request 2's prompt fit beside them
        (56, 11, 1, 1, 0),
    ]
    assert token_times(run) == [(18, 38, 10), (18, 67, 38), (67, 67, -1)]


def test_a_request_that_memory_can_never_hold_is_refused() -> None:
    with pytest.raises(BurstlabError, match=r"request 1 has 30 \+ 4 tokens; memory holds 32"):
        served(sent((0, 4, 4), (0, 30, 4)), memory=Paged(2))


def test_a_prompt_that_no_iteration_can_hold_is_refused() -> None:
    with pytest.raises(BurstlabError, match="request 0 is never scheduled"):
        served(sent((0, 30, 4)), policy=VllmV1(20, 4, chunked_prefill=False))


def test_no_requests() -> None:
    assert events(served(sent())) == []
