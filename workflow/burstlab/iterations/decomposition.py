"""Why the time between tokens changed: other kinds of iteration, or other costs of the same kinds."""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True, slots=True)
class Costs:
    """Of each run, shape (runs,): the share of tokens from decode-only iterations, and both kinds' mean duration in ms."""

    decode_only_share: np.ndarray
    decode_only_ms: np.ndarray
    mixed_ms: np.ndarray

    @property
    def interval_ms(self) -> np.ndarray:
        """The time between tokens that follows: share·decode-only + (1 − share)·mixed."""
        decode_only_ms = self.decode_only_share * self.decode_only_ms
        found: np.ndarray = decode_only_ms + (1 - self.decode_only_share) * self.mixed_ms
        return found


@dataclass(frozen=True, slots=True)
class Parts:
    """The three parts of the change of `interval_ms`, in ms, shape (runs,); they add up to it exactly."""

    shares_ms: np.ndarray
    decode_only_ms: np.ndarray
    mixed_ms: np.ndarray


def decompose(before: Costs, after: Costs) -> Parts:
    """What the shift between kinds did at the average of both costs, and what each cost did at the average of both shares.

    Kitagawa, "Components of a Difference Between Two Rates", JASA 1955, equation for two components: no part is left over.
    """
    share = (before.decode_only_share + after.decode_only_share) / 2
    decode = (before.decode_only_ms + after.decode_only_ms) / 2
    mixed = (before.mixed_ms + after.mixed_ms) / 2
    return Parts(
        shares_ms=(after.decode_only_share - before.decode_only_share) * (decode - mixed),
        decode_only_ms=share * (after.decode_only_ms - before.decode_only_ms),
        mixed_ms=(1 - share) * (after.mixed_ms - before.mixed_ms),
    )
