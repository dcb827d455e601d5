"""Made-up runs with a known truth.

Latencies are lognormal (skewed), neighbours within a run are correlated (0.9 from one request to the next), and each run has a
level of its own that is skewed too. Two conditions share a part of that level, as two conditions with one seed do.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

REQUESTS = 75
GROUPS = 6
"""As many as the default study measures."""
METRICS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "mean": lambda runs: runs.mean(axis=-1),
    "median": lambda runs: np.median(runs, axis=-1),
    "p90": lambda runs: np.quantile(runs, 0.9, axis=-1),
}
Runs = np.ndarray


def draw(rng: np.random.Generator, studies: int, seeds: int, change: bool = True) -> tuple[Runs, Runs]:
    """Latencies before and after, shape (studies, seeds, requests) each.

    With `change`, the second is a fifth lower and more spread out; without, both have the same law.
    """
    shared = _level(rng, (studies, seeds))
    before, after = (shared + 0.5 * _level(rng, (studies, seeds)) for _ in range(2))
    noise = [correlated(rng, (studies, seeds, REQUESTS)) for _ in range(2)]
    if change:
        after, noise[1] = 1.3 * after + np.log(0.8), 1.3 * noise[1]
    return np.exp(before[..., None] + 0.6 * noise[0]), np.exp(after[..., None] + 0.6 * noise[1])


def _level(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    # Gamma of shape 2, centred: skewness 1.4 on the log scale already.
    return 0.15 * (rng.gamma(2.0, size=shape) - 2.0)


def correlated(rng: np.random.Generator, shape: tuple[int, ...], step: float = 0.9) -> np.ndarray:
    steps = rng.standard_normal(shape)
    values = np.empty(shape)
    values[..., 0] = steps[..., 0]
    for index in range(1, shape[-1]):
        values[..., index] = step * values[..., index - 1] + np.sqrt(1 - step**2) * steps[..., index]
    return values


def seeded(values: np.ndarray) -> dict[int, float]:
    """Seed → value, as the library pairs them."""
    return dict(enumerate(values.tolist()))
