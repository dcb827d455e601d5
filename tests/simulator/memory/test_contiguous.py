"""Memory in one piece a job, with holes that can be counted by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.simulator.made import events, sent, served

from burstlab.simulator.job import Job
from burstlab.simulator.memory.buddy import Buddy
from burstlab.simulator.memory.contiguous import Contiguous
from burstlab.simulator.memory.first_fit import FirstFit
from burstlab.simulator.memory.fragmentation import Shares, Watched
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.memory.placement import Placement
from burstlab.simulator.memory.reservations import longest, oracle, power_of_two
from burstlab.simulator.scheduling.orca import Orca
from burstlab.simulator.scheduling.vllm_v1 import VllmV1


def test_first_fit_cuts_the_first_hole_that_is_large_enough() -> None:
    memory = FirstFit(100)
    assert [memory.take(size) for size in (30, 10, 40)] == [(0, 30), (30, 10), (40, 40)]
    memory.give(0, 30)
    assert memory.largest() == 30  # 0 to 29, and 80 to 99
    assert memory.take(20) == (0, 20)
    memory.give(40, 40)
    assert memory.largest() == 60  # joined with 80 to 99
    memory.give(30, 10)
    assert memory.largest() == 80
    memory.give(0, 20)
    assert memory.largest() == 100


def test_buddies_are_halved_and_joined() -> None:
    memory = Buddy(64)
    assert memory.take(9) == (0, 16)
    assert memory.take(16) == (16, 16)
    assert memory.take(5) == (32, 8)
    assert memory.largest() == 16  # 48 to 63; 40 to 47 is a hole of 8
    memory.give(0, 16)
    assert memory.largest() == 16
    memory.give(16, 16)
    assert memory.largest() == 32
    memory.give(32, 8)
    assert memory.largest() == 64


def test_buddies_of_a_size_that_is_no_power_of_two_are_its_binary_digits() -> None:
    memory = Buddy(24)
    assert memory.largest() == 16
    assert [memory.take(8) for _ in range(3)] == [(16, 8), (0, 8), (8, 8)]
    for start in (8, 0, 16):
        memory.give(start, 8)
    assert memory.largest() == 16  # 16 to 23 has no other half


@pytest.mark.parametrize("kind", [FirstFit, Buddy])
@given(sizes=st.lists(st.integers(1, 40), max_size=30), data=st.data())
def test_ranges_never_overlap_and_all_is_free_in_the_end(
    kind: type[FirstFit] | type[Buddy], sizes: list[int], data: st.DataObject
) -> None:
    memory: Placement = kind(100)
    most, taken = memory.largest(), []
    for size in sizes:
        if size <= memory.largest():
            taken.append(memory.take(size))
            assert taken[-1][1] >= size
        elif taken:
            memory.give(*taken.pop(data.draw(st.integers(0, len(taken) - 1))))
        slots = [slot for start, many in taken for slot in range(start, start + many)]
        assert len(slots) == len(set(slots))
        assert not slots or (min(slots) >= 0 and max(slots) < 100)
    for start, many in taken:
        memory.give(start, many)
    assert memory.largest() == most


def test_what_is_reserved_for_a_prompt_of_50_and_an_output_of_25() -> None:
    job = Job(0, 50, 25)
    assert (longest(2048)(job), power_of_two(job), oracle(job)) == (2048, 82, 75)
    assert power_of_two(Job(0, 50, 32)) == 82
    assert power_of_two(Job(0, 50, 1)) == 51


def test_a_hole_between_two_jobs_is_of_no_use_to_one_that_is_larger() -> None:
    # 20 slots: of 6, 6 and 6. The first ends first, and then the holes are 6 in front and 2 behind.
    traffic = sent((0, 5, 1), (0, 2, 4), (0, 3, 3), (1, 7, 1))
    memory = Contiguous(oracle, FirstFit(20))
    run = served(traffic, Orca(8), memory)
    assert [event[:4] for event in events(run)] == [
        (0, 20, 10, 0),
        (20, 10, 0, 2),  # 8 slots are free, but not in one piece
        (30, 10, 0, 2),  # the third ends, and leaves 8 behind the second
        (40, 17, 7, 1),
    ]
    assert (memory.held, memory.free) == (0, 20)


def test_the_shares_of_memory_while_a_job_waits() -> None:
    # Ten slots a job and 25 in all: the third waits for both iterations of the others' first three tokens.
    memory = Contiguous(longest(10), FirstFit(25))
    watched = Watched(Orca(8), memory.slots, lambda: memory.held)
    served(sent((0, 2, 3), (0, 4, 3), (0, 2, 1)), watched, memory)
    # Before the prompts nothing is used, then 2 + 4 tokens, then 3 + 5. At the end 4 + 6 are, without the last tokens.
    assert watched.shares() == Shares(
        used=pytest.approx((0 + 6 + 8) / 3 / 25),
        reserved=pytest.approx((10 + 4 + 2) / 3 / 25),
        internal=pytest.approx(10 / 25),
        external=pytest.approx(5 / 25),
    )


def test_paged_memory_wastes_no_more_than_last_blocks() -> None:
    memory = Paged(4, 4)
    watched = Watched(VllmV1(100, 8), 16, lambda: 4 * (memory.blocks - memory.free))
    served(sent((0, 7, 2), (0, 6, 3), (0, 5, 1)), watched, memory)
    # 13 tokens in four blocks; the first step fills the block of the first job, which ends, and one more of the second's.
    shares = watched.shares()
    assert shares is not None
    assert (shares.internal, shares.external) == (0.0, 0.0)
    assert shares.used + shares.reserved == pytest.approx(1.0)


def test_where_nobody_waits_there_is_nothing_to_say() -> None:
    watched = Watched(Orca(8), 100, lambda: 0)
    served(sent((0, 2, 3)), watched, Contiguous(oracle, FirstFit(100)))
    assert watched.shares() is None
