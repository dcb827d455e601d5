import pytest

from burstlab.claims.check import Check, Region, adjusted, falls, near, rises
from burstlab.statistics.interval import Interval


def check(
    low: float, high: float, region: Region, p_value: float | None = None, headline: bool = True
) -> Check:
    interval = Interval((low + high) / 2, low, high, 5, "t")
    return Check("change", "", "measured", interval, region, p_value=p_value, headline=headline)


@pytest.mark.parametrize(
    ("low", "high", "region", "result"),
    [
        (-3, -1, falls(), "holds"),
        (1, 3, falls(), "fails"),
        (-1, 1, falls(), "not told"),
        (1, 3, rises(), "holds"),
        (9, 11, near(10, 2), "holds"),
        (9, 13, near(10, 2), "not told"),
        (13, 14, near(10, 2), "fails"),
    ],
)
def test_an_interval_lies_in_the_region_outside_or_across(
    low: float, high: float, region: Region, result: str
) -> None:
    assert check(low, high, region).result == result


def test_rounding_agrees_where_it_meets_the_region() -> None:
    interval = Interval(63.76, 63.69, 63.83, 0, "rounding")
    meets = Check("x", "ms", "published", interval, near(63.73, 0.005), rounding=True)
    misses = Check("x", "ms", "published", interval, near(63.5, 0.005), rounding=True)
    assert (meets.result, misses.result) == ("holds", "fails")


def test_many_comparisons_take_back_a_lucky_one() -> None:
    lucky = check(-3, -0.01, falls(), p_value=0.04)
    others = [check(-1, 1, falls(), p_value=0.9) for _ in range(9)]
    found = adjusted([lucky, *others])
    assert lucky.result == "holds"
    assert found[0].adjusted_p == pytest.approx(0.4)
    assert found[0].result == "not told"


def test_what_informs_is_another_family_than_what_is_claimed() -> None:
    claimed = check(-3, -0.1, falls(), p_value=0.04)
    informing = [check(-1, 1, falls(), p_value=0.9, headline=False) for _ in range(9)]
    assert adjusted([claimed, *informing])[0].result == "holds"


def test_without_a_p_value_nothing_is_adjusted() -> None:
    assert adjusted([check(9, 11, near(10, 2))])[0].adjusted_p is None
