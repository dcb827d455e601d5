import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from burstlab.profiles.spans import Covered, spans

intervals = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 15)), max_size=12)


@given(intervals, st.integers(-2, 60))
def test_covered_time_is_that_of_the_union(rows: list[tuple[int, int]], time: int) -> None:
    start = np.array([begin for begin, _ in rows], dtype=np.int64)
    end = start + np.array([length for _, length in rows], dtype=np.int64)
    union = {unit for begin, length in rows for unit in range(begin, begin + length) if unit < time}
    assert Covered(start, end).until(np.array([time])).tolist() == [len(union)]


def test_an_iteration_without_launches_is_its_range() -> None:
    none = np.empty(0, np.int64)
    found = spans(np.array([0, 10]), np.array([5, 18]), none, none, none)
    assert (found.begin.tolist(), found.end.tolist(), found.busy.tolist()) == ([0, 10], [5, 18], [0, 0])


@given(
    st.lists(st.integers(0, 50), min_size=2, max_size=8, unique=True).map(sorted),
    st.lists(st.tuples(st.integers(-1, 3), st.integers(0, 60), st.integers(0, 20)), max_size=12),
)
def test_iterations_do_not_overlap_and_are_busy_for_no_longer_than_they_take(
    begins: list[int], rows: list[tuple[int, int, int]]
) -> None:
    begin = np.array(begins)
    launches = np.array([(min(i, len(begins) - 1), s, s + d) for i, s, d in rows], np.int64).reshape(-1, 3)
    found = spans(begin, begin + 1, launches[:, 0], launches[:, 1], launches[:, 2])
    assert (found.begin[1:] >= found.end[:-1]).all()
    assert (found.end >= found.begin).all()
    assert (found.busy >= 0).all()
    assert (found.busy <= found.end - found.begin).all()
