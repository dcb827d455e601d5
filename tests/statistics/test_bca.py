import numpy as np
import pytest

from burstlab.statistics.bca import bca_interval


def ratio(before: np.ndarray, after: np.ndarray, axis: int) -> np.ndarray:
    found: np.ndarray = after.mean(axis=axis) / before.mean(axis=axis)
    return found


def test_pairs_stay_pairs() -> None:
    # Every seed doubles, so every draw of pairs gives exactly 2; drawn apart they would not.
    before = np.array([1.0, 5.0, 20.0, 3.0])
    found = bca_interval([before, 2 * before], ratio)
    assert found is not None
    assert (found.estimate, found.low, found.high) == pytest.approx((2.0, 2.0, 2.0))


def test_two_seeds_are_too_few() -> None:
    assert bca_interval([np.array([1.0, 2.0])], np.mean) is None


def test_it_is_near_student_where_both_serve() -> None:
    values = np.random.default_rng(1).normal(10, 1, 60)
    found = bca_interval([values], np.mean)
    assert found is not None
    half = 2.0010 * values.std(ddof=1) / np.sqrt(60)  # t(59, 0.975)
    assert found.low == pytest.approx(values.mean() - half, abs=0.05)
    assert found.high == pytest.approx(values.mean() + half, abs=0.05)


def test_the_same_seed_gives_the_same_interval_in_any_unit() -> None:
    values = np.random.default_rng(2).lognormal(size=12)
    first, scaled = bca_interval([values], np.mean), bca_interval([values * 1000], np.mean)
    assert first is not None
    assert scaled is not None
    assert (scaled.low, scaled.high) == pytest.approx((first.low * 1000, first.high * 1000))
