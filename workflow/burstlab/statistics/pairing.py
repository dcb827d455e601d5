"""Which seeds two conditions share."""

import math
from collections.abc import Mapping

import numpy as np

LEAST_PAIRS = 3
"""No verdict rests on fewer. Two leave one degree of freedom: of equal spread, their interval is 3.6 times as wide as that of
three pairs, and 7 times as that of five (docs/validity.md)."""


def paired_values(before: Mapping[int, float], after: Mapping[int, float]) -> tuple[np.ndarray, np.ndarray]:
    """The values of both sides (seed → value) for the seeds that both have, in order of the seeds; shape (pairs,) each.

    A seed with a value that is not finite is left out. The same seed draws the same prompts and the same random
    numbers behind the gaps, so what a seed does to both sides cancels in their difference.
    """
    seeds = [
        seed
        for seed in sorted(before.keys() & after.keys())
        if math.isfinite(before[seed]) and math.isfinite(after[seed])
    ]
    return np.array([before[seed] for seed in seeds], float), np.array([after[seed] for seed in seeds], float)
