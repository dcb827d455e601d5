"""Fitting the terms: least squares that are non-negative, relative and robust."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.fitted.batches import Batch
from burstlab.simulator.costs.fitted.terms import TERMS, values

_HUBER = 1.345  # 95% efficient for normal errors (Huber, "Robust Estimation of a Location Parameter", 1964)
_ROUNDS = 20
_FEWEST = 50


@dataclass(frozen=True, slots=True)
class Fit:
    """Coefficients in ms, one for each of `TERMS`, and what is left over on the batches that were fitted.

    `residuals` are measured/fitted − 1, shape (batches,).
    """

    coefficients_ms: np.ndarray
    residuals: np.ndarray


def fit(batches: Sequence[Batch]) -> Fit:
    """Fit the terms to the batches; BurstlabError when there are too few.

    Errors are relative to the fitted duration: noise grows with it. Batches that are far off count less (Huber's weights, by
    iteratively reweighted least squares). What they add on average is put back at the end by one factor on all coefficients, so
    that the sum of durations is kept: latencies are sums.
    """
    return fit_matrix(matrix(batches), durations_ms(batches))


def fit_matrix(design: np.ndarray, measured_ms: np.ndarray) -> Fit:
    """The same from what `matrix` and `durations_ms` give."""
    if len(design) < _FEWEST:
        raise BurstlabError(
            f"{len(design)} iterations are too few to fit costs to; at least {_FEWEST} are needed"
        )
    coefficients = _robust(design, measured_ms)
    coefficients *= measured_ms.sum() / (design @ coefficients).sum()
    return Fit(coefficients, measured_ms / (design @ coefficients) - 1)


def matrix(batches: Sequence[Batch]) -> np.ndarray:
    """The values of all terms, shape (batches, terms)."""
    rows = [values(batch.decodes, batch.context_tokens, batch.chunks) for batch in batches]
    return np.array(rows, dtype=float).reshape(-1, len(TERMS))


def durations_ms(batches: Sequence[Batch]) -> np.ndarray:
    """What was measured, shape (batches,)."""
    return np.array([batch.elapsed_ms for batch in batches])


def _robust(design: np.ndarray, measured_ms: np.ndarray) -> np.ndarray:
    expected_ms, trust = measured_ms, np.ones(len(measured_ms))
    coefficients = np.zeros(design.shape[1])
    for _ in range(_ROUNDS):
        before = coefficients
        coefficients = _non_negative(design, measured_ms, np.sqrt(trust) / expected_ms)
        expected_ms = np.maximum(design @ coefficients, measured_ms.min())
        errors = measured_ms / expected_ms - 1
        spread = np.median(np.abs(errors)) / 0.6745 or 1.0  # of normal errors, the standard deviation
        trust = np.minimum(1.0, _HUBER * spread / np.maximum(np.abs(errors), 1e-12))
        if np.allclose(coefficients, before, rtol=1e-4):
            break
    return coefficients


def _non_negative(design: np.ndarray, measured_ms: np.ndarray, weights: np.ndarray) -> np.ndarray:
    from scipy.optimize import nnls

    weighted = design * weights[:, None]
    scale = np.linalg.norm(weighted, axis=0)
    scale[scale == 0] = 1.0  # a term that no batch has gets 0
    # The triangular factor has the same solution and is small.
    # (numpy's types do not know that mode "r" gives that factor alone.)
    upper = np.asarray(np.linalg.qr(np.column_stack([weighted / scale, measured_ms * weights]), mode="r"))
    solution, _ = nnls(upper[:, :-1], upper[:, -1])
    coefficients: np.ndarray = solution / scale
    return coefficients
