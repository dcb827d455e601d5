import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.statistics.paired import paired_change

values = st.floats(-1e6, 1e6)


def test_three_seeds_by_hand() -> None:
    # Differences −1, −2, −3: mean −2, s = 1, standard error 1/√3; t(2, 0.975) = 4.30265 in any table.
    change = paired_change({0: 10.0, 1: 12.0, 2: 14.0}, {0: 9.0, 1: 10.0, 2: 11.0})
    assert change is not None
    assert (change.pairs, change.before, change.after, change.change) == (3, 12.0, 10.0, -2.0)
    assert change.low == pytest.approx(-2 - 4.30265 / math.sqrt(3), abs=1e-4)
    assert change.high == pytest.approx(-2 + 4.30265 / math.sqrt(3), abs=1e-4)
    assert not change.tells
    assert change.relative == pytest.approx(-1 / 6)


def test_equal_differences_leave_no_doubt() -> None:
    change = paired_change({0: 1.0, 1: 5.0}, {0: 3.0, 1: 7.0})
    assert change is not None
    assert (change.low, change.high) == (2.0, 2.0)
    assert change.tells


def test_one_seed_has_no_interval_and_tells_nothing() -> None:
    change = paired_change({7: 1.0}, {7: 3.0})
    assert change is not None
    assert (change.change, change.low, change.high, change.tells) == (2.0, None, None, False)


def test_only_shared_finite_seeds_are_paired() -> None:
    change = paired_change({0: 1.0, 1: 2.0, 2: math.nan}, {1: 5.0, 2: 1.0, 3: 9.0})
    assert change is not None
    assert (change.pairs, change.change) == (1, 3.0)
    assert paired_change({0: 1.0}, {1: 1.0}) is None


def test_no_relative_change_from_nothing() -> None:
    change = paired_change({0: 0.0}, {0: 3.0})
    assert change is not None
    assert change.relative is None


@given(st.dictionaries(st.integers(0, 9), st.tuples(values, values), min_size=2))
def test_swapping_the_sides_mirrors_the_interval(pairs: dict[int, tuple[float, float]]) -> None:
    first = {seed: pair[0] for seed, pair in pairs.items()}
    second = {seed: pair[1] for seed, pair in pairs.items()}
    there, back = paired_change(first, second), paired_change(second, first)
    assert there is not None
    assert back is not None
    assert there.low is not None
    assert back.high is not None
    assert there.change == pytest.approx(-back.change)
    assert there.low == pytest.approx(-back.high, abs=1e-6)
    assert there.low <= there.change
