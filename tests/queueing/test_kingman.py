import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.queueing.kingman import approximation_s, bound_s

shares, spreads = st.floats(0.01, 0.99), st.floats(0, 20)


def test_poisson_arrivals_and_exponential_service_are_exact() -> None:
    # M/M/1 at half load: a customer waits one service time on average.
    assert approximation_s(0.5, 2.0, 1.0, 1.0) == pytest.approx(2.0)


def test_poisson_arrivals_and_constant_service_wait_half_as_long() -> None:
    assert approximation_s(0.5, 2.0, 1.0, 0.0) == pytest.approx(1.0)


def test_the_bound_by_hand() -> None:
    # λ = 1/2 a second, σ²_A = 4·3 = 12, σ²_S = 1: (12 + 1)/(2·2·(1 − 1/2)) = 6.5 s.
    assert bound_s(0.5, 1.0, 3.0, 1.0) == pytest.approx(6.5)


@given(shares, spreads, spreads)
def test_the_bound_is_above_the_approximation_for_bursty_arrivals(
    load: float, arrivals: float, service: float
) -> None:
    arrivals = max(arrivals, service)
    assert bound_s(load, 1.0, arrivals, service) >= approximation_s(load, 1.0, arrivals, service) * (1 - 1e-9)


@given(shares, spreads, spreads, spreads)
def test_waiting_rises_with_the_arrivals_spread(
    load: float, one: float, other: float, service: float
) -> None:
    low, high = sorted((one, other))
    for formula in (bound_s, approximation_s):
        assert formula(load, 1.0, low, service) <= formula(load, 1.0, high, service)
