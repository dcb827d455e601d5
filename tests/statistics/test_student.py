import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.statistics.student import mean_interval, mean_p_value

samples = st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=20)


def test_three_values_by_hand() -> None:
    # Mean 2, s = 1, standard error 1/√3; t(2, 0.975) = 4.30265 in any table.
    found = mean_interval([1.0, 2.0, 3.0])
    assert found is not None
    assert (found.estimate, found.units) == (2.0, 3)
    assert found.high == pytest.approx(2 + 4.30265 / math.sqrt(3), abs=1e-4)


def test_p_value_of_a_table() -> None:
    # t = 2/(1/√3) = 3.4641 with 2 degrees: p = 0.0742 (from the closed form of t with 2 degrees, 1 − t/√(2+t²)).
    assert mean_p_value([1.0, 2.0, 3.0]) == pytest.approx(1 - math.sqrt(12) / math.sqrt(14))


def test_one_value_says_nothing_of_its_spread() -> None:
    assert mean_interval([1.0]) is None
    assert mean_p_value([1.0]) is None


def test_equal_values_leave_no_doubt() -> None:
    assert mean_p_value([2.0, 2.0]) == 0.0
    assert mean_p_value([0.0, 0.0]) == 1.0


@given(samples)
def test_order_does_not_matter(values: list[float]) -> None:
    mixed = sorted(values)
    first, second = mean_interval(values), mean_interval(mixed)
    assert first is not None
    assert second is not None
    assert first.low == pytest.approx(second.low, abs=1e-3)
    assert first.low <= first.estimate <= first.high


@given(samples)
def test_p_value_and_interval_agree(values: list[float]) -> None:
    found, p_value = mean_interval(values), mean_p_value(values)
    assert found is not None
    assert p_value is not None
    if abs(p_value - 0.05) > 1e-6:
        assert (p_value < 0.05) == found.outside(0.0, 0.0)


def test_it_covers_normal_values() -> None:
    rows = np.random.default_rng(0).normal(3.0, 1.0, (2000, 5))
    found = [mean_interval(row) for row in rows]
    share = np.mean([one is not None and one.low <= 3.0 <= one.high for one in found])
    assert 0.935 < share < 0.965
