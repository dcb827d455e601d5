import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.statistics.proportion import proportion_interval


@pytest.mark.parametrize(
    ("found", "total", "low", "high"),
    # The bounds of all and of none have a closed form: 0.025^(1/n), and 1 less that.
    [(10, 10, 0.025**0.1, 1.0), (0, 10, 0.0, 1 - 0.025**0.1), (1, 1, 0.025, 1.0)],
)
def test_all_and_none(found: int, total: int, low: float, high: float) -> None:
    interval = proportion_interval(found, total)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((low, high))


def test_a_published_value() -> None:
    # Of 10 found in 100: 4.90% to 17.62%, in the tables of Clopper and Pearson.
    interval = proportion_interval(10, 100)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((0.0490, 0.1762), abs=5e-5)


@given(st.integers(1, 400).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_the_rest_has_the_mirrored_interval(sample: tuple[int, int]) -> None:
    found, total = sample
    one, other = proportion_interval(found, total), proportion_interval(total - found, total)
    assert one is not None
    assert other is not None
    assert (one.low, one.high) == pytest.approx((1 - other.high, 1 - other.low))


def test_nothing_has_none() -> None:
    assert proportion_interval(0, 0) is None


def test_more_than_all_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="3 of 2 is no share"):
        proportion_interval(3, 2)
