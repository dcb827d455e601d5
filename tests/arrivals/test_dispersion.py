"""The coefficient of variation of gaps."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.arrivals.dispersion import gaps_s, realised_cv
from burstlab.arrivals.gamma import planned_send_s


def test_the_first_gap_starts_with_the_run() -> None:
    assert gaps_s(np.array([0.5, 0.5, 2.0])).tolist() == [0.5, 0.0, 1.5]


def test_equal_gaps_have_cv_zero() -> None:
    assert realised_cv(np.array([2.0, 2.0, 2.0])) == 0


def test_a_small_case_by_hand() -> None:
    # Mean 2, deviations -2, 0, 0, 2: variance 2.
    assert realised_cv(np.array([0.0, 2.0, 2.0, 4.0])) == pytest.approx(math.sqrt(2) / 2)


@pytest.mark.parametrize("gaps", [[], [0.0, 0.0]])
def test_it_is_undefined_without_time(gaps: list[float]) -> None:
    assert math.isnan(realised_cv(np.array(gaps)))


@given(st.lists(st.floats(0.01, 100), min_size=1, max_size=50), st.floats(0.01, 100))
def test_scale_does_not_matter(gaps: list[float], factor: float) -> None:
    values = np.array(gaps)
    assert realised_cv(values * factor) == pytest.approx(realised_cv(values), abs=1e-6)


@pytest.mark.parametrize(("burstiness", "cv"), [(4.0, 0.5), (1.0, 1.0), (0.25, 2.0)])
def test_a_long_gamma_schedule_has_the_cv_of_its_burstiness(burstiness: float, cv: float) -> None:
    send_s = planned_send_s(200_000, 10.0, burstiness, 0)
    assert realised_cv(gaps_s(send_s)) == pytest.approx(cv, rel=0.02)
