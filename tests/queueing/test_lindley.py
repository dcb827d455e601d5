import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import brentq

from burstlab.queueing.lindley import waits_s

times = st.floats(0, 100)


def test_three_customers_by_hand() -> None:
    # Served 5 each; arrivals at 0, 2 and 20: the second waits 3, the third finds the server idle.
    assert waits_s(np.array([2.0, 18.0]), np.array([5.0, 5.0, 5.0])).tolist() == [0.0, 3.0, 0.0]


def test_one_customer_does_not_wait() -> None:
    assert waits_s(np.array([]), np.array([9.0])).tolist() == [0.0]


@given(st.lists(st.tuples(times, times), min_size=1, max_size=40))
def test_it_is_the_recursion(customers: list[tuple[float, float]]) -> None:
    services, gaps = (np.array(column) for column in zip(*customers, strict=True))
    wait, expected = 0.0, []
    for service, gap in zip(services, gaps, strict=True):
        expected.append(wait)
        wait = max(0.0, wait + service - gap)
    assert waits_s(gaps[:-1], services) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("burstiness", [1.0, 0.5, 0.1])
def test_long_runs_agree_with_the_exact_mean_of_exponential_service(burstiness: float) -> None:
    # GI/M/1: the mean wait is σ/(1−σ), where σ solves σ = E[exp(−(1−σ)·gap)] (Kleinrock 1975, 6.4).
    scale = 1 / (0.6 * burstiness)
    root = brentq(lambda x: (1 + (1 - x) * scale) ** -burstiness - x, 1e-9, 1 - 1e-6)
    rng = np.random.default_rng(0)
    services = rng.exponential(size=1_000_000)
    found = waits_s(rng.gamma(burstiness, scale, size=999_999), services).mean()
    assert found == pytest.approx(root / (1 - root), rel=0.04)
