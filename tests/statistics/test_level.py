import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.statistics.level import level_interval


def test_geometric_mean_by_hand() -> None:
    found = level_interval([1.0, 100.0])
    assert found is not None
    assert found.estimate == pytest.approx(10.0)
    # The logs' standard error is ln(10) and t(1, 0.975) 12.7062: the bounds are 10^(1 ± 12.7062).
    assert np.log10(found.high) == pytest.approx(13.7062, abs=1e-3)
    assert found.low > 0


def test_zero_has_no_logarithm() -> None:
    assert level_interval([0.0, 1.0, 2.0]) is None
    assert level_interval([1.0]) is None


@given(st.lists(st.floats(0.1, 100), min_size=2, max_size=20), st.floats(0.1, 10))
def test_it_scales_with_the_unit(values: list[float], unit: float) -> None:
    found, scaled = level_interval(values), level_interval([value * unit for value in values])
    assert found is not None
    assert scaled is not None
    assert np.log(scaled.estimate / found.estimate) == pytest.approx(np.log(unit), abs=1e-9)


def test_it_covers_skewed_values() -> None:
    rows = np.random.default_rng(0).lognormal(0.0, 0.8, (2000, 5))
    found = [level_interval(row) for row in rows]
    assert 0.935 < np.mean([one is not None and one.low <= 1.0 <= one.high for one in found]) < 0.965
