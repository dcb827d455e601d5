"""What one group of few pairs does to a study, and what pooling its spread with other groups' would."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from made_up import GROUPS, METRICS, draw

from burstlab.statistics.student import t_quantile

FEW = (2, 3, 4, 5)


def few_pairs(studies: int) -> Iterator[tuple[str, list[float]]]:
    """One group of few pairs beside others of five: what its own interval does, and one that borrows their spread.

    Widths are of relative changes, from the lower to the upper bound. A joined interval reaches from the lowest to the highest
    bound of all groups, as a verdict's does.
    """
    rows: dict[str, list[float]] = {}
    truth = float(_log_ratios(np.random.default_rng(1), 100_000, 1).mean())
    for pairs in FEW:
        rng = np.random.default_rng(200 + pairs)
        few = _log_ratios(rng, studies, pairs)
        others = np.stack([_log_ratios(rng, studies, 5) for _ in range(GROUPS - 1)], axis=1)
        own, rest = _bounds(few), _bounds(others)
        left_out = np.stack([rest[0].min(axis=1), rest[1].max(axis=1)])
        joined = np.stack([np.minimum(own[0], left_out[0]), np.maximum(own[1], left_out[1])])
        found = {
            "coverage, t on the group's own log ratios": _holding(truth, own),
            "coverage, spread pooled over groups that are alike": _holding(truth, _pooled(few, others)),
            "coverage, spread pooled, the group with few twice as noisy": _holding(
                truth, _pooled(truth + 2 * (few - truth), others)
            ),
            "width of the group's own interval, median": _width(own),
            "width of six groups joined, median": _width(joined),
            "width of the five others joined, median": _width(left_out),
        }
        for name, value in found.items():
            rows.setdefault(name, []).append(value)
    yield from rows.items()


def _log_ratios(rng: np.random.Generator, studies: int, pairs: int) -> np.ndarray:
    """Log ratios of the mean, shape (studies, pairs)."""
    before, after = (METRICS["mean"](runs) for runs in draw(rng, studies, pairs))
    ratios: np.ndarray = np.log(after / before)
    return ratios


def _bounds(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of Student's interval over the last axis: what `mean_interval` gives, of many at once."""
    pairs = values.shape[-1]
    half = t_quantile(0.95, pairs - 1) * values.std(axis=-1, ddof=1) / np.sqrt(pairs)
    return values.mean(axis=-1) - half, values.mean(axis=-1) + half


def _pooled(few: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Bounds for `few` with the variance within all groups, weighted by their degrees of freedom."""
    pairs, groups, fives = few.shape[-1], others.shape[1], others.shape[2]
    degrees = pairs - 1 + groups * (fives - 1)
    squares = (pairs - 1) * few.var(axis=-1, ddof=1) + (fives - 1) * others.var(axis=-1, ddof=1).sum(axis=1)
    half = t_quantile(0.95, degrees) * np.sqrt(squares / degrees / pairs)
    return few.mean(axis=-1) - half, few.mean(axis=-1) + half


def _holding(truth: float, bounds: tuple[np.ndarray, np.ndarray]) -> float:
    return float(((bounds[0] <= truth) & (truth <= bounds[1])).mean())


def _width(bounds: tuple[np.ndarray, np.ndarray] | np.ndarray) -> float:
    return float(np.median(np.expm1(bounds[1]) - np.expm1(bounds[0])))
