"""How often a real change of the mean is told, and what the power formula foretells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from made_up import METRICS, draw, seeded

from burstlab.statistics.power import power
from burstlab.statistics.relative_change import change_p_value


def power_told(studies: int, all_seeds: Sequence[int]) -> Iterator[tuple[str, list[float]]]:
    """Rows of the table: one share for each number of seeds."""
    told, foretold = [], []
    for seeds in all_seeds:
        pair = draw(np.random.default_rng(300 + seeds), studies, seeds)
        before, after = (METRICS["mean"](runs) for runs in pair)
        told.append(float(np.mean([_told(b, a) for b, a in zip(before, after, strict=True)])))
        logs = np.log(after / before).ravel()
        foretold.append(power(seeds, float(logs.mean()), float(logs.std(ddof=1))))
    yield "a real change of the mean is told", told
    yield "the same, foretold by the power formula", foretold


def _told(before: np.ndarray, after: np.ndarray) -> bool:
    p_value = change_p_value(seeded(before), seeded(after))
    return p_value is not None and p_value <= 0.05
