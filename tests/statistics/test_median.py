import numpy as np
import pytest

from burstlab.statistics.median import median_interval


def test_of_ten_values_the_second_and_the_ninth_hold_the_median() -> None:
    # Fewer than two heads of ten coins: 11/1024, so 98% in all. Fewer than three: 56/1024, which is too many.
    found = median_interval([10, 1, 9, 2, 8, 3, 7, 4, 6, 5])
    assert found is not None
    assert (found.estimate, found.low, found.high, found.units) == (5.5, 2.0, 9.0, 10)


def test_six_values_are_the_fewest_for_95_percent() -> None:
    found = median_interval([3, 1, 2, 6, 5, 4])
    assert found is not None
    assert (found.low, found.high) == (1.0, 6.0)
    assert median_interval([1, 2, 3, 4, 5]) is None
    assert median_interval([]) is None
    assert median_interval([1, 2, 3, 4, 5], confidence=0.9) is not None


@pytest.mark.parametrize("size", [6, 15, 60])
def test_it_holds_the_median_as_often_as_it_says(size: int) -> None:
    rng = np.random.default_rng(size)
    held = 0
    for values in rng.lognormal(0, 1, (2000, size)):
        found = median_interval(values)
        assert found is not None
        held += found.low <= 1.0 <= found.high
    assert held / 2000 > 0.94  # two standard errors below 95%
