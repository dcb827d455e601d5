"""The cost of the same work, early and late."""

import numpy as np
import pytest
from benchmarks.toy_engine import Toy, run

from burstlab.validity.gates import no_drift


def test_iterations_are_compared_with_those_of_their_size() -> None:
    log_ms = np.array([1.0, 5.0, 3.0, 7.0, 9.0])
    size = np.array([1, 2, 1, 2, 3])
    # Means are 2 and 6; the one of size 3 has no other to be compared with.
    assert no_drift.same_work(log_ms, size).tolist() == [-1.0, -1.0, 1.0, 1.0]


def test_blocks_are_of_equal_length_and_not_too_short() -> None:
    values = np.repeat([1.0, 2.0], 10)
    means = no_drift.block_means(values, 2)
    assert means is not None
    assert means.tolist() == [1.0, 2.0]
    assert no_drift.block_means(values[:19], 2) is None


def test_equal_blocks_leave_nothing_to_doubt() -> None:
    assert no_drift.difference_interval(np.zeros(4), np.ones(4)) == (1.0, 1.0)


def test_the_interval_is_welchs() -> None:
    # Means 0 and 10, variances 2/3 and 8/3 of 4 each: standard error sqrt(10/12), 4.41 degrees of freedom, t(99.5%) = 4.34.
    low, high = no_drift.difference_interval(
        np.array([-1.0, 0.0, 0.0, 1.0]), np.array([8.0, 10.0, 10.0, 12.0])
    )
    assert (low + high) / 2 == pytest.approx(10.0)
    assert (high - low) / 2 == pytest.approx(4.34 * (10 / 12) ** 0.5, rel=0.01)


def test_noise_seldom_fails_a_cell_and_a_warming_engine_often_does() -> None:
    def share_failed(toy: Toy) -> float:
        states = [no_drift.judge(run(toy, 75, 5.4, 1.0, seed)).state for seed in range(30)]
        return states.count("failed") / len(states)

    assert share_failed(Toy()) <= 0.05
    assert share_failed(Toy(drift=-0.5)) >= 0.5
