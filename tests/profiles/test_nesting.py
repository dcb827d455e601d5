import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from burstlab.profiles.nesting import self_times


def own(*operators: tuple[int, int, int]) -> list[int]:
    """Of (thread, begin, end)."""
    thread, begin, end = np.array(operators, dtype=np.int64).reshape(-1, 3).T
    found: list[int] = self_times(thread, begin, end).tolist()
    return found


def test_a_caller_keeps_what_its_callees_leave() -> None:
    # linear 0–100 calls t 10–20 and addmm 30–90, which calls copy 40–50.
    assert own((1, 0, 100), (1, 10, 20), (1, 30, 90), (1, 40, 50)) == [30, 10, 50, 10]


def test_the_order_of_the_file_does_not_matter() -> None:
    assert own((1, 40, 50), (1, 0, 100), (1, 30, 90), (1, 10, 20)) == [10, 30, 50, 10]


def test_threads_do_not_nest() -> None:
    assert own((1, 0, 100), (2, 10, 20)) == [100, 10]


def test_neighbours_do_not_nest() -> None:
    assert own((1, 0, 10), (1, 10, 20)) == [10, 10]


def test_what_sticks_out_of_its_caller_is_its_own() -> None:
    assert own((1, 0, 100), (1, 90, 101), (1, 95, 101)) == [90, 5, 6]
    assert own((1, 0, 10), (1, 8, 15), (1, 14, 30)) == [8, 6, 16]


def test_of_two_alike_the_first_is_the_caller() -> None:
    assert own((1, 0, 10), (1, 0, 10)) == [0, 10]


def test_none() -> None:
    assert own() == []


operators = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 60), st.integers(0, 30)).map(
        lambda o: (o[0], o[1], o[1] + o[2])
    ),
    max_size=30,
)


@given(operators)
def test_a_thread_adds_up_to_the_time_in_which_it_was_in_any_operator(
    operators: list[tuple[int, int, int]],
) -> None:
    found = own(*operators)
    assert all(time >= 0 for time in found)
    for thread in {operator[0] for operator in operators}:
        covered = {t for other, begin, end in operators if other == thread for t in range(begin, end)}
        total = sum(time for time, operator in zip(found, operators, strict=True) if operator[0] == thread)
        assert total == len(covered)
