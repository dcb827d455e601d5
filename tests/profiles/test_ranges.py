import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from burstlab.profiles.ranges import NOWHERE, Timeline


def timeline(*ranges: tuple[int, int]) -> Timeline:
    begin, end = np.array(ranges, dtype=np.int64).reshape(-1, 2).T
    return Timeline(np.arange(len(ranges)), begin, end)


def test_inside_after_and_before() -> None:
    lane = timeline((10, 20), (30, 40))
    times = np.array([9, 10, 20, 21, 30, 41])
    assert lane.inside(times).tolist() == [NOWHERE, 0, 0, NOWHERE, 1, NOWHERE]
    assert lane.last_begun(times).tolist() == [NOWHERE, 0, 0, 0, 1, 1]


def test_the_innermost_range_counts() -> None:
    lane = timeline((0, 100), (10, 50), (20, 30))
    assert lane.inside(np.array([5, 15, 25, 31, 51])).tolist() == [0, 1, 2, 1, 0]


def test_ranges_that_touch() -> None:
    assert timeline((0, 10), (10, 20)).inside(np.array([9, 10, 11])).tolist() == [0, 1, 1]


def test_none() -> None:
    assert timeline().inside(np.array([5])).tolist() == [NOWHERE]
    assert timeline().last_begun(np.array([5])).tolist() == [NOWHERE]


@given(st.lists(st.integers(0, 20), min_size=2, max_size=10, unique=True), st.integers(0, 21))
def test_ranges_one_after_another(bounds: list[int], time: int) -> None:
    bounds = sorted(bounds)[: len(bounds) // 2 * 2]
    ranges = list(zip(bounds[::2], bounds[1::2], strict=True))
    expected = next((n for n, (begin, end) in enumerate(ranges) if begin <= time <= end), NOWHERE)
    assert timeline(*ranges).inside(np.array([time])).tolist() == [expected]
