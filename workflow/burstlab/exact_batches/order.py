"""In which order batches are timed: each arm once in every repetition, each repetition in an order of its own.

What changes while it is timed, such as a clock that gets slower, so hits all arms alike, and arms of one repetition are pairs.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from burstlab.exact_batches.shapes import ARMS, Shape

Step = tuple[int, str]
"""The number of a shape, and an arm."""


def repetitions(
    shapes: Sequence[Shape], number: int, arms: Sequence[str] = ARMS, seed: int = 0
) -> list[list[Step]]:
    """`number` repetitions of all arms of all shapes, each shuffled; the same seed gives the same order."""
    generator = random.Random(f"burstlab exact batches {seed}")  # noqa: S311 - not for security
    every = [(place, arm) for place in range(len(shapes)) for arm in arms]
    return [generator.sample(every, len(every)) for _ in range(number)]
