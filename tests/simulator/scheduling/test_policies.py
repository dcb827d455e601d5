"""The same requests under each policy, worked out by hand. An iteration takes 10, and 1 more for each prompt token."""

import pytest
from tests.simulator.made import events, sent, served, token_times

from burstlab.errors import BurstlabError
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.memory.reserved import Reserved
from burstlab.simulator.requests import Requests
from burstlab.simulator.scheduling.orca import Orca
from burstlab.simulator.scheduling.policy import Policy
from burstlab.simulator.scheduling.sarathi import Sarathi
from burstlab.simulator.scheduling.vllm_v0 import VllmV0
from burstlab.simulator.scheduling.vllm_v1 import VllmV1

# A short request decodes when a long and another short one arrive together.
TRAFFIC = sent((0, 4, 5), (1, 20, 2), (1, 4, 2))


def log(
    requests: Requests, policy: Policy, memory: Paged | Reserved | None = None
) -> list[tuple[int, int, int]]:
    """Duration, context tokens and generation tokens of each iteration."""
    return [event[1:4] for event in events(served(requests, policy, memory))]


def test_vllm_v1_cuts_prompts_to_what_decodes_leave_of_the_budget() -> None:
    assert log(TRAFFIC, VllmV1(8, 8)) == [
        (14, 4, 0),
        (17, 7, 1),
        (17, 7, 1),
        (17, 7, 1),  # 6 of the long prompt's 20 are left, and 1 of the short one's
        (13, 3, 2),
        (10, 0, 1),
    ]


def test_vllm_v1_without_chunks_waits_until_a_whole_prompt_fits() -> None:
    assert log(TRAFFIC, VllmV1(23, 8, chunked_prefill=False)) == [
        (14, 4, 0),
        (30, 20, 1),  # 22 are left, so the short prompt has to wait too
        (14, 4, 2),
        (10, 0, 2),
        (10, 0, 1),
    ]


def test_vllm_v1_admits_no_more_sequences_than_it_may() -> None:
    assert log(TRAFFIC, VllmV1(100, 2)) == [
        (14, 4, 0),
        (30, 20, 1),
        (10, 0, 2),
        (14, 4, 1),
        (10, 0, 2),
    ]


def test_vllm_v1_needs_memory_for_the_whole_prompt_to_begin_it() -> None:
    # Six blocks of 4: the long prompt needs five, and its turn comes when the first request has ended.
    assert log(TRAFFIC, VllmV1(8, 8), Paged(6, 4))[:6] == [
        (14, 4, 0),
        (10, 0, 1),
        (10, 0, 1),
        (10, 0, 1),
        (10, 0, 1),
        (18, 8, 0),
    ]


def test_vllm_v0_runs_prompts_first_and_alone() -> None:
    assert log(TRAFFIC, VllmV0(23, 8)) == [
        (14, 4, 0),
        (30, 20, 0),
        (14, 4, 0),
        (10, 0, 3),
        (10, 0, 1),
        (10, 0, 1),
        (10, 0, 1),
    ]


def test_under_vllm_v0_a_decode_waits_for_all_prompts() -> None:
    assert token_times(served(TRAFFIC, VllmV0(23, 8)))[0] == (14, 98, 54)


def test_vllm_v0_keeps_a_share_of_memory_free() -> None:
    def begins(watermark: float) -> int:
        run = served(sent((0, 8, 1), (0, 8, 1)), VllmV0(100, 8, watermark), Paged(4, 4))
        return events(run)[0][2]

    assert begins(0.0) == 16
    assert begins(0.01) == 8  # a hundredth of four blocks is one block


def test_orca_mixes_decodes_with_whole_prompts_of_any_length() -> None:
    assert log(TRAFFIC, Orca(8), Reserved(100, 64)) == [
        (14, 4, 0),
        (34, 24, 1),
        (10, 0, 3),
        (10, 0, 1),
        (10, 0, 1),
    ]


def test_orca_admits_what_its_reservations_leave() -> None:
    # Four blocks of 16 a request, nine in all: two requests.
    assert log(TRAFFIC, Orca(8), Reserved(9, 64)) == [
        (14, 4, 0),
        (30, 20, 1),
        (10, 0, 2),
        (14, 4, 1),
        (10, 0, 2),
    ]


def test_orca_cannot_go_on_when_memory_grows_that_was_not_reserved() -> None:
    with pytest.raises(BurstlabError, match="Orca never preempts"):
        log(sent((0, 4, 9), (0, 4, 9)), Orca(8), Paged(4, 4))


def test_sarathi_fills_its_budget_with_decodes_then_begun_prompts_then_new_ones() -> None:
    assert log(TRAFFIC, Sarathi(8, 8, 0.0)) == [
        (14, 4, 0),
        (17, 7, 1),
        (17, 7, 1),
        (17, 7, 1),
        (13, 3, 2),
        (10, 0, 1),
    ]


def test_sarathi_takes_memory_for_a_whole_prompt_when_it_begins() -> None:
    blocks = [event[4] for event in events(served(TRAFFIC, Sarathi(8, 8, 0.0), Paged(100, 4)))]
    assert blocks[:2] == [1, 2 + 5]
