"""FastServe's queues, worked out by hand. An iteration takes 10, and 1 more for each prompt token; the first quantum is 20."""

import pytest
from tests.simulator.made import Ticks, events, sent, served, token_times

from burstlab.errors import BurstlabError
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.scheduling.skip_join_mlfq import SkipJoinMlfq


def queues(
    *, sequences: int = 1, tokens: int = 100, starving_ps: int = 10**6, look_every: int = 1
) -> SkipJoinMlfq:
    return SkipJoinMlfq(
        Ticks(), tokens, sequences, quantum_ps=20, levels=4, starving_ps=starving_ps, look_every=look_every
    )


def test_a_long_prompt_skips_levels_and_a_short_job_overtakes_it() -> None:
    # The first prompt alone takes 40: level 1, whose quantum is 40. The second takes 15: level 0.
    run = served(sent((0, 30, 4), (5, 5, 3)), queues())
    assert events(run) == [
        (0, 40, 30, 0, 2),
        (40, 15, 5, 0, 3),  # the first is set aside and keeps its memory
        (55, 10, 0, 1, 3),  # then the second has had 25, and goes to the end of level 1
        (65, 10, 0, 1, 3),  # the first: 50, so level 2
        (75, 10, 0, 1, 2),  # the second ends
        (85, 10, 0, 1, 2),
        (95, 10, 0, 1, 0),
    ]
    assert token_times(run) == [(40, 105, 35), (55, 85, 20)]


def test_a_job_that_starves_returns_to_the_first_level() -> None:
    # The first job's prompt takes 25: level 1. Short ones keep coming, each of which takes 12: level 0.
    traffic = sent((0, 15, 3), *((20 + 12 * number, 2, 1) for number in range(8)))
    patient = token_times(served(traffic, queues()))[0]
    rescued = token_times(served(traffic, queues(starving_ps=30)))[0]
    assert patient == (25, 141, 106)
    # At 61, when the third short one ends, it has starved for 36. The fourth is there already, and goes first.
    assert rescued == (25, 93, 58)


def test_a_batch_takes_decodes_and_whole_prompts_in_the_order_of_the_levels() -> None:
    # At 14 the long prompt and the short one are there; with the decode's token the long one is too much for one iteration. At 28
    # the decode has had its quantum, and comes after the long prompt, beside which there is no room for its token.
    run = served(sent((0, 4, 3), (1, 20, 1), (1, 4, 1)), queues(sequences=8, tokens=20))
    assert [event[1:4] for event in events(run)] == [(14, 4, 0), (14, 4, 1), (30, 20, 0), (10, 0, 1)]


def test_the_lowest_job_gives_up_its_memory_and_gets_it_back() -> None:
    # Three blocks of 4. The first job fills two and is demoted by its own prompt's 18 and a token's 10. The second needs two.
    policy = queues()
    run = served(sent((0, 8, 4), (20, 5, 2)), policy, Paged(3, 4))
    assert policy.swaps == 1
    assert run.preemptions == 0
    assert events(run) == [
        (0, 18, 8, 0, 2),
        (18, 10, 0, 1, 3),  # a third block for its ninth token; then it is in level 1
        (28, 15, 5, 0, 2),  # its three are swapped out
        (43, 10, 0, 1, 0),
        (53, 10, 0, 1, 3),  # swapped in again
        (63, 10, 0, 1, 0),
    ]


def test_a_prompt_that_no_batch_can_hold_is_refused() -> None:
    with pytest.raises(BurstlabError, match="request 0 is never scheduled"):
        served(sent((0, 30, 4)), queues(tokens=20))


def test_there_must_be_a_level() -> None:
    with pytest.raises(BurstlabError, match="must be at least 1"):
        SkipJoinMlfq(Ticks(), levels=0)
