import pytest

from burstlab.statistics.interval import Interval, exact


def test_within_and_outside_take_their_ends_in() -> None:
    interval = Interval(1.5, 1.0, 2.0, 5, "t")
    assert interval.within(1.0, 2.0)
    assert not interval.within(1.1, 3.0)
    assert interval.outside(2.1, 3.0)
    assert not interval.outside(2.0, 3.0)
    assert not interval.within(1.5, 3.0)
    assert not interval.outside(1.5, 3.0)


def test_what_is_exact_has_no_width() -> None:
    assert exact(8.0) == Interval(8.0, 8.0, 8.0, 0, "exact")


@pytest.mark.parametrize("bounds", [(2.0, 3.0), (0.0, 0.5), (float("nan"), 3.0)])
def test_an_estimate_outside_its_interval_is_refused(bounds: tuple[float, float]) -> None:
    with pytest.raises(ValueError, match="is not between"):
        Interval(1.0, *bounds, 5, "t")
