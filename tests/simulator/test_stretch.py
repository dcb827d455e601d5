from hypothesis import given
from hypothesis import strategies as st

from burstlab.simulator.stretch import steps_to_reach, total_ps


def test_terms_add_up() -> None:
    assert total_ps(10, 3, 4) == 10 + 13 + 16 + 19


@given(st.integers(1, 10**14), st.integers(0, 10**14), st.integers(-5, 10**18))
def test_the_fewest_steps_that_reach_it(first: int, growth: int, span: int) -> None:
    steps = steps_to_reach(first, growth, span)
    assert total_ps(first, growth, steps) >= span
    assert steps == 1 or total_ps(first, growth, steps - 1) < span
