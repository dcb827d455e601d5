"""Least squares over iterations that come in cells, with a bootstrap over the cells."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

RESAMPLES = 2000


@dataclass(frozen=True, slots=True)
class LinearFit:
    """Coefficients of elapsed_ms = a + b·generation_tokens + c·context_tokens, in ms and ms a token.

    `low` and `high` bound each coefficient's 95% interval (None where fewer than two cells were fitted, or it was not asked for);
    `r_squared` is over all iterations, null where they all take equally long.
    """

    coefficients: tuple[float, float, float]
    low: tuple[float, float, float] | None
    high: tuple[float, float, float] | None
    r_squared: float
    iterations: int
    cells: int


def fit(iterations: pd.DataFrame, seed: int = 0, *, bounds: bool = True) -> LinearFit | None:
    """Fits the columns named above; None where the design does not determine the three coefficients.

    Iterations of one run are not independent, so the percentile bootstrap draws whole cells. A resample that
    does not determine the coefficients is left out of the interval.
    """
    moments = [_moments(some) for _, some in iterations.groupby("cell", sort=True)]
    if not moments:
        return None
    normal, target, square, total, count = (np.array(part) for part in zip(*moments, strict=True))
    best = _solve(normal.sum(axis=0), target.sum(axis=0))
    if best is None:
        return None
    n = int(count.sum())
    residual = square.sum() - best @ target.sum(axis=0)
    spread = square.sum() - total.sum() ** 2 / n
    found = _bootstrap(normal, target, seed) if bounds and len(moments) > 1 else None
    return LinearFit(
        coefficients=_three(best),
        low=None if found is None else _three(found[0]),
        high=None if found is None else _three(found[1]),
        r_squared=float(1 - residual / spread) if spread > 1e-12 * square.sum() else float("nan"),
        iterations=n,
        cells=len(moments),
    )


def design(iterations: pd.DataFrame) -> np.ndarray:
    """The matrix of shape (iterations, 3): 1, generation tokens, context tokens."""
    tokens = iterations[["generation_tokens", "context_tokens"]].to_numpy(float)
    return np.column_stack([np.ones(len(tokens)), tokens])


def _moments(some: pd.DataFrame) -> tuple[np.ndarray, np.ndarray, float, float, int]:
    x, y = design(some), some["elapsed_ms"].to_numpy(float)
    return x.T @ x, x.T @ y, float(y @ y), float(y.sum()), len(y)


def _solve(normal: np.ndarray, target: np.ndarray) -> np.ndarray | None:
    # Scaled to a unit diagonal first: token counts of thousands would make a sound design look singular.
    scale = np.sqrt(np.diagonal(normal))
    if not scale.all():
        return None
    unit = normal / np.outer(scale, scale)
    if np.linalg.cond(unit) > 1e12:
        return None
    solution: np.ndarray = np.linalg.solve(unit, target / scale) / scale
    return solution


def _bootstrap(normal: np.ndarray, target: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray] | None:
    """Bounds of the 95% interval of each coefficient, from summed moments of resampled cells."""
    rng = np.random.default_rng(seed)
    cells = len(normal)
    weights = rng.multinomial(cells, np.full(cells, 1 / cells), size=RESAMPLES)
    normals, targets = np.tensordot(weights, normal, 1), np.tensordot(weights, target, 1)
    drawn = [found for pair in zip(normals, targets, strict=True) if (found := _solve(*pair)) is not None]
    if not drawn:
        return None
    low, high = np.quantile(np.array(drawn), [0.025, 0.975], axis=0)
    return low, high


def _three(values: Sequence[float] | np.ndarray) -> tuple[float, float, float]:
    a, b, c = (float(value) for value in values)
    return a, b, c
