import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.statistics.run_quantile import run_quantile_interval

runs_of_requests = st.lists(
    st.lists(st.floats(0.1, 100), min_size=1, max_size=15).map(np.array), min_size=2, max_size=6
)


def test_the_pooled_median_by_hand() -> None:
    found = run_quantile_interval([np.array([1.0, 2.0]), np.array([3.0, 4.0, 5.0])], 0.5)
    assert found is not None
    assert (found.estimate, found.units) == (3.0, 2)


def test_equal_runs_leave_no_doubt() -> None:
    found = run_quantile_interval([np.array([1.0, 2.0, 9.0])] * 4, 0.9)
    assert found is not None
    assert (found.low, found.estimate, found.high) == pytest.approx((9.0, 9.0, 9.0))


def test_more_requests_of_the_same_runs_do_not_narrow_it() -> None:
    runs = [np.full(5, level) for level in (1.0, 2.0, 3.0, 4.0, 5.0)]
    few, many = (
        run_quantile_interval(runs, 0.5),
        run_quantile_interval([np.repeat(r, 100) for r in runs], 0.5),
    )
    assert few is not None
    assert many is not None
    assert (few.low, few.high) == pytest.approx((many.low, many.high))
    assert few.high / few.low > 2


def test_one_run_is_too_few() -> None:
    assert run_quantile_interval([np.array([1.0, 2.0])], 0.5) is None
    assert run_quantile_interval([np.array([1.0, 2.0]), np.array([])], 0.5) is None


@given(runs_of_requests, st.floats(0.05, 0.95))
def test_the_estimate_is_a_request_inside_its_interval(runs: list[np.ndarray], q: float) -> None:
    found = run_quantile_interval(runs, q, resamples=50)
    assert found is not None
    assert found.low <= found.estimate <= found.high
    assert found.estimate in np.concatenate(runs)


@given(runs_of_requests)
def test_the_order_of_requests_within_runs_does_not_matter(runs: list[np.ndarray]) -> None:
    assert run_quantile_interval(runs, 0.5, resamples=50) == run_quantile_interval(
        [run[::-1] for run in runs], 0.5, resamples=50
    )
