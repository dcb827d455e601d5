"""How many requests are in the system, and whether they become more."""

import dataclasses

import numpy as np
import pyarrow as pa
import pytest
from benchmarks.toy_engine import Toy, run

from burstlab.validity.gates import steady


def test_the_mean_number_in_the_system_is_time_spent_over_time() -> None:
    # One stays from 0 to 1, one from 1 to 4: in 0..2 there is one all the time, in 2..4 one.
    counted = steady.mean_in_system(np.array([0.0, 2.0, 4.0]), np.array([0.0, 1.0]), np.array([1.0, 3.0]))
    assert counted.tolist() == [1.0, 1.0]


def test_two_at_a_time_count_twice() -> None:
    counted = steady.mean_in_system(np.array([0.0, 1.0, 2.0]), np.array([0.0, 0.5]), np.array([1.0, 1.0]))
    assert counted.tolist() == [1.5, 0.5]


def test_a_straight_line_has_its_slope_and_no_error() -> None:
    time_s = np.arange(10.0)
    slope, error = steady.trend(time_s, 3.0 + 0.5 * time_s)
    assert slope == pytest.approx(0.5)
    assert error == pytest.approx(0.0, abs=1e-12)


def test_requests_that_never_leave_all_pile_up() -> None:
    share, low, high = steady.piled_up(np.arange(100.0), np.full(100, 1000.0))
    assert low <= share <= high
    assert share == pytest.approx(1.0, abs=0.02)


def test_requests_that_all_stay_equally_long_do_not() -> None:
    share, low, _ = steady.piled_up(np.arange(1000.0), np.full(1000, 2.0))
    assert abs(share) < 0.01
    assert low <= 0.0 + 0.01


@pytest.mark.parametrize("burstiness", [1.0, 0.1])
def test_steady_cells_seldom_fail_and_overloaded_ones_mostly_do(burstiness: float) -> None:
    """Seeded, so it comes out alike each time; the rates themselves are in docs/validity.md."""

    def share_failed(rate_per_s: float) -> float:
        states = [steady.judge(run(Toy(), 75, rate_per_s, burstiness, seed)).state for seed in range(30)]
        return states.count("failed") / len(states)

    assert share_failed(5.4) <= 0.05  # 60% of the toy's capacity
    assert share_failed(18.0) >= 0.75  # twice the capacity


def test_requests_that_were_all_sent_at_one_moment_are_not_judged() -> None:
    evidence = run(Toy(), 75, 1.0, 1.0, 0)
    sent = evidence.requests.schema.get_field_index("send_s")
    at_once = evidence.requests.set_column(
        sent, evidence.requests.schema.field(sent), pa.array(np.full(75, 5.0))
    )
    assert steady.judge(dataclasses.replace(evidence, requests=at_once)).state == "not judged"
