"""A replica by chance."""
# ruff: noqa: ARG002 - the arguments are those of `Router`

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class RandomChoice:
    """Each is as likely; the same `seed` chooses the same."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)

    def choose(self, now_ps: int, unfinished: Sequence[int]) -> int:
        """Any."""
        return int(self._rng.integers(len(unfinished)))
