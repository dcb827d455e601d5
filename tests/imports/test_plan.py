import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.arrivals.gamma import planned_send_s
from burstlab.imports.plan import punctual_start_s, seed_of


@given(
    seed=st.integers(0, 99),
    burstiness=st.sampled_from([0.1, 0.5, 1.0, 2.0]),
    rate=st.floats(0.5, 50),
    clock=st.floats(1, 1e6),
)
def test_the_seed_is_found_from_when_requests_left(
    seed: int, burstiness: float, rate: float, clock: float
) -> None:
    late = 0.01 / rate * np.random.default_rng(1).exponential(size=100)
    starts = clock + planned_send_s(100, rate, burstiness, seed) + late
    assert seed_of(starts, rate, burstiness) == seed


@given(other=st.integers(1000, 2000))
def test_arrivals_of_no_seed_tried_are_of_none(other: int) -> None:
    starts = 10 + planned_send_s(100, 8.0, 0.5, other)
    assert seed_of(starts, 8.0, 0.5) is None
    assert seed_of(starts, 8.0, 0.5, named=other) == other


@pytest.mark.parametrize(("rate", "burstiness"), [(np.inf, 1.0), (5.0, np.inf)])
def test_arrivals_without_chance_show_no_seed(rate: float, burstiness: float) -> None:
    assert seed_of(10 + planned_send_s(50, rate, burstiness, 3), rate, burstiness) is None


def test_few_requests_show_no_seed() -> None:
    assert seed_of(10 + planned_send_s(19, 5.0, 0.5, 3), 5.0, 0.5) is None


def test_a_request_that_was_never_sent_is_left_out() -> None:
    starts = 10 + planned_send_s(50, 5.0, 0.5, 3)
    starts[7] = 0.0
    assert seed_of(starts, 5.0, 0.5) == 3
    assert punctual_start_s(starts, planned_send_s(50, 5.0, 0.5, 3)) == pytest.approx(10)


def test_the_run_begins_where_the_least_late_request_is_punctual() -> None:
    assert punctual_start_s(np.array([11.5, 12.25, 14.0]), np.array([1.0, 2.0, 3.0])) == 10.25
