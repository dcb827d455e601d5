import numpy as np
import pandas as pd
import pytest

from burstlab.figures.linear_fit import fit


def iterations(cells: int, noise_ms: float) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    rows = 200 * cells
    g, c = rng.integers(0, 30, rows), 64 * rng.integers(0, 20, rows)
    cell = np.repeat([f"cell-{n}" for n in range(cells)], 200)
    of_run = np.repeat(rng.normal(0, 1, cells), 200)
    elapsed = 4 + 0.5 * g + 0.02 * c + rng.normal(0, noise_ms, rows) + of_run
    return pd.DataFrame({"cell": cell, "generation_tokens": g, "context_tokens": c, "elapsed_ms": elapsed})


def test_the_fit_agrees_with_a_direct_least_squares() -> None:
    frame = iterations(5, 3.0)
    found = fit(frame)
    assert found is not None
    x = np.column_stack([np.ones(len(frame)), frame["generation_tokens"], frame["context_tokens"]])
    best, squares, *_ = np.linalg.lstsq(x, frame["elapsed_ms"])
    np.testing.assert_allclose(found.coefficients, best, rtol=1e-8)
    spread = ((frame["elapsed_ms"] - frame["elapsed_ms"].mean()) ** 2).sum()
    assert found.r_squared == pytest.approx(1 - squares[0] / spread)


def test_the_interval_knows_that_a_runs_iterations_belong_together() -> None:
    # Runs differ by a millisecond each, so 1000 iterations tell the constant no better than 5 runs do.
    found = fit(iterations(5, 0.1))
    assert found is not None
    assert found.low is not None
    assert found.high is not None
    assert found.high[0] - found.low[0] > 0.5
    assert found.low[1] < 0.5 < found.high[1]
    assert fit(iterations(5, 0.1)) == found


def test_one_cell_has_no_interval() -> None:
    found = fit(iterations(1, 1.0))
    assert found is not None
    assert found.low is None


@pytest.mark.parametrize("column", ["generation_tokens", "context_tokens"])
def test_tokens_that_never_vary_cannot_be_fitted(column: str) -> None:
    for value in (0, 3):
        assert fit(iterations(3, 1.0).assign(**{column: value})) is None


def test_nothing_to_fit() -> None:
    assert fit(iterations(1, 1.0).iloc[:0]) is None
