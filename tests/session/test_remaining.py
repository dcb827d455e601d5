"""How much longer a session takes, as it is told."""

import math

import pytest

from burstlab.session.remaining import Remaining, about, arrivals_s
from burstlab.study.cells import Arrivals, Cell

CELLS = [Cell("cpu", "m", "eager", "short", 6.0, Arrivals.gamma(0.5), seed) for seed in range(8)]


def test_arrivals_take_requests_over_rate() -> None:
    assert arrivals_s(75, 6.0) == 12.5
    assert arrivals_s(75, math.inf) == 0.0


def test_what_a_cell_took_beyond_its_arrivals_is_expected_of_each_that_is_left() -> None:
    remaining = Remaining({CELLS[0]: 10.0, CELLS[1]: 20.0, CELLS[2]: 40.0})
    assert remaining.estimate_s() is None
    remaining.finished(CELLS[0], 12.5)
    assert remaining.estimate_s() == 20.0 + 40.0 + 2 * 2.5
    remaining.finished(CELLS[1], 23.5)
    assert remaining.estimate_s() == 40.0 + 3.0
    remaining.finished(CELLS[2], 43.0)
    assert remaining.estimate_s() is None


def test_one_slow_cell_among_the_last_does_not_count() -> None:
    remaining = Remaining(dict.fromkeys(CELLS, 10.0))
    for cell, wall_s in zip(CELLS, (90.0, 12.0, 80.0, 12.0, 12.0, 13.0), strict=False):
        remaining.finished(cell, wall_s)
    assert remaining.estimate_s() == 2 * (10.0 + 2.0)


def test_a_failed_cell_is_over_and_tells_nothing() -> None:
    remaining = Remaining({CELLS[0]: 10.0, CELLS[1]: 20.0, CELLS[2]: 40.0})
    remaining.finished(CELLS[0], 11.0)
    remaining.failed(CELLS[1])
    assert remaining.estimate_s() == 41.0


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0.0, "about 0 s"),
        (31.0, "about 40 s"),
        (100.0, "about 2 min"),
        (3600.0, "about 60 min"),
        (7500.0, "about 2 h 5 min"),
    ],
)
def test_a_time_is_told_as_one_would_say_it(seconds: float, text: str) -> None:
    assert about(seconds) == text
