import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.statistics.power import detectable_effect, deviation_upper_limit, power, seeds_needed
from burstlab.statistics.student import mean_p_value


def test_the_textbook_case() -> None:
    # Half a standard deviation, 80% power, two-sided 5%: 34 pairs (Cohen 1988, and any calculator).
    assert seeds_needed(0.5, 1.0) == 34
    assert seeds_needed(1.0, 1.0) == 10


def test_it_foretells_what_the_test_does() -> None:
    rows = np.random.default_rng(0).normal(1.0, 1.0, (4000, 5))
    told = np.mean([(mean_p_value(row) or 0) <= 0.05 for row in rows])
    assert power(5, 1.0, 1.0) == pytest.approx(told, abs=0.025)


def test_without_an_effect_it_is_the_false_positive_rate() -> None:
    assert power(7, 0.0, 1.0) == pytest.approx(0.05)


def test_edges() -> None:
    assert power(1, 5.0, 1.0) == 0.0
    assert power(2, 1.0, 0.0) == 1.0
    assert power(50, 100.0, 1.0) == pytest.approx(1.0)
    assert seeds_needed(1e-6, 1.0) is None
    assert seeds_needed(1.0, 0.0) == 2


def test_few_seeds_bound_the_deviation_loosely() -> None:
    # χ²(4) has its 20% quantile at 1.6488: √(4/1.6488) = 1.5576.
    assert deviation_upper_limit(1.0, 5) == pytest.approx(1.5576, abs=1e-3)
    assert deviation_upper_limit(1.0, 1000) == pytest.approx(1.0, abs=0.03)


@given(st.floats(0.05, 3), st.floats(0.05, 3), st.integers(2, 60))
def test_power_rises_with_seeds_and_depends_on_the_ratio_alone(
    effect: float, unit: float, seeds: int
) -> None:
    assert power(seeds + 1, effect, 1.0) >= power(seeds, effect, 1.0) - 1e-9
    assert power(seeds, effect * unit, unit) == pytest.approx(power(seeds, -effect, 1.0), abs=1e-6)


@given(st.integers(2, 50), st.floats(0.01, 10))
def test_the_detectable_effect_has_the_power_wanted(seeds: int, deviation: float) -> None:
    effect = detectable_effect(seeds, deviation, 0.8)
    assert effect is not None
    assert power(seeds, effect, deviation) == pytest.approx(0.8, abs=0.002)


def test_no_detectable_effect_below_two_seeds_and_any_without_spread() -> None:
    assert detectable_effect(1, 1.0) is None
    assert detectable_effect(5, 0.0) == 0.0
