"""Memory in blocks of 4 tokens."""

from hypothesis import given
from hypothesis import strategies as st

from burstlab.simulator.job import Job
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.memory.reserved import Reserved


def test_fifty_tokens_take_four_blocks_of_sixteen() -> None:
    memory, job = Paged(10), Job(0, 50, 1)
    memory.take(job, 50)
    assert memory.free == 6
    memory.release(job)
    assert memory.free == 10


def test_a_prompt_in_chunks_takes_a_block_when_it_needs_one() -> None:
    memory, job = Paged(10, 4), Job(0, 9, 1)
    assert [memory.needs(job, tokens) for tokens in (3, 4, 5, 9)] == [1, 1, 2, 3]
    memory.take(job, 3)
    assert memory.needs(job, 4) == 0
    memory.take(job, 9)
    assert (job.blocks, memory.free) == (3, 7)


@given(
    st.lists(st.tuples(st.integers(1, 20), st.integers(0, 9)), min_size=1, max_size=5),
    st.integers(0, 50),
    st.integers(0, 30),
)
def test_decodes_hold_what_their_tokens_fill(joins: list[tuple[int, int]], step: int, steps: int) -> None:
    memory = Paged(1000, 4)
    held = []
    for tokens, later in joins:
        job = Job(0, tokens, 99)
        memory.take(job, tokens)
        memory.join(job, tokens, step)
        memory.grow(step, later)
        held = [(other, before + later) for other, before in [*held, (job, tokens)]]
        step += later
    before = sum(-(-tokens // 4) for _, tokens in held)
    assert memory.free == 1000 - before
    after = sum(-(-(tokens + steps) // 4) for _, tokens in held)
    assert memory.growth(step, steps) == after - before
    memory.grow(step, steps)
    for job, tokens in held:
        memory.leave(job, tokens + steps, step + steps)
    assert memory.free == 1000
    assert memory.growth(step, 40) == 0


def test_a_reservation_holds_the_longest_sequence() -> None:
    memory, job = Reserved(10, 33), Job(0, 5, 20)
    assert memory.needs(job, 5) == 3
    memory.take(job, 5)
    memory.join(job, 5, 0)
    assert (memory.free, memory.growth(0, 19), memory.needs(job, 25)) == (7, 0, 0)
    memory.leave(job, 24, 19)
    assert memory.free == 10
