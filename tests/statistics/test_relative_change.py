import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.statistics.relative_change import change_p_value, log_ratios, relative_change

pairs = st.dictionaries(st.integers(0, 9), st.tuples(st.floats(1e-3, 1e3), st.floats(1e-3, 1e3)), min_size=2)


def sides(both: dict[int, tuple[float, float]]) -> tuple[dict[int, float], dict[int, float]]:
    return {seed: pair[0] for seed, pair in both.items()}, {seed: pair[1] for seed, pair in both.items()}


def test_halved_and_quartered_by_hand() -> None:
    # Log ratios −ln 2 and −2·ln 2: mean −1.5·ln 2, so the geometric mean falls to 2^−1.5.
    found = relative_change({0: 8.0, 1: 8.0}, {0: 4.0, 1: 2.0})
    assert found is not None
    assert found.estimate == pytest.approx(2**-1.5 - 1)
    # s = ln 2/√2, so s/√2 = ln 2/2; t(1, 0.975) = 12.7062.
    assert found.high == pytest.approx(2 ** (-1.5 + 12.7062 / 2) - 1, rel=1e-4)


def test_equal_ratios_leave_no_doubt() -> None:
    found = relative_change({0: 1.0, 1: 10.0}, {0: 2.0, 1: 20.0})
    assert found is not None
    assert (found.low, found.high) == pytest.approx((1.0, 1.0))
    assert change_p_value({0: 1.0, 1: 10.0}, {0: 2.0, 1: 20.0}) == pytest.approx(0.0, abs=1e-12)


def test_seeds_without_two_positive_values_are_left_out() -> None:
    assert len(log_ratios({0: 0.0, 1: 1.0, 2: 1.0}, {0: 1.0, 1: -1.0, 2: math.e})) == 1
    assert relative_change({0: 0.0, 1: 1.0}, {0: 1.0, 1: 2.0}) is None


@given(pairs, st.floats(1e-3, 1e3))
def test_units_do_not_matter(both: dict[int, tuple[float, float]], unit: float) -> None:
    before, after = sides(both)
    found = relative_change(before, after)
    scaled = relative_change(*({seed: v * unit for seed, v in side.items()} for side in (before, after)))
    assert found is not None
    assert scaled is not None
    assert 1 + scaled.estimate == pytest.approx(1 + found.estimate)
    assert 1 + scaled.low == pytest.approx(1 + found.low, rel=1e-6, abs=1e-9)


@given(pairs)
def test_swapping_the_sides_inverts_the_ratio(both: dict[int, tuple[float, float]]) -> None:
    before, after = sides(both)
    there, back = relative_change(before, after), relative_change(after, before)
    assert there is not None
    assert back is not None
    assert -1.0 <= there.low <= there.estimate <= there.high
    assert (1 + there.estimate) * (1 + back.estimate) == pytest.approx(1.0)
