"""The change between two conditions that were measured with the same seeds."""

import math
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class PairedChange:
    """Means before and after over the shared seeds, and the mean change with its interval.

    All in the unit of the values given. `low` and `high` are None where fewer than two seeds are shared:
    one pair says nothing about its own spread.
    """

    pairs: int
    before: float
    after: float
    change: float
    low: float | None
    high: float | None

    @property
    def relative(self) -> float | None:
        """Change as a fraction of the mean before; None where that mean is 0."""
        return self.change / self.before if self.before else None

    @property
    def tells(self) -> bool:
        """Whether the interval exists and excludes 0."""
        return self.low is not None and self.high is not None and (self.low > 0 or self.high < 0)


def paired_change(
    before: Mapping[int, float], after: Mapping[int, float], confidence: float = 0.95
) -> PairedChange | None:
    """The change from `before` to `after` (seed → value), paired by seed; None where no seed is shared.

    Seeds that only one side has, and values that are not finite, are left out. The interval is Student's for
    the mean of the paired differences, mean ± t(n−1)·s/√n, which takes them as independent and about normal.
    """
    seeds = [
        seed
        for seed in sorted(before.keys() & after.keys())
        if math.isfinite(before[seed]) and math.isfinite(after[seed])
    ]
    pairs = len(seeds)
    if pairs == 0:
        return None
    changes = [after[seed] - before[seed] for seed in seeds]
    change = math.fsum(changes) / pairs
    low = high = None
    if pairs > 1:
        variance = math.fsum((value - change) ** 2 for value in changes) / (pairs - 1)
        half = _t_quantile(confidence, pairs - 1) * math.sqrt(variance / pairs)
        low, high = change - half, change + half
    return PairedChange(
        pairs=pairs,
        before=math.fsum(before[seed] for seed in seeds) / pairs,
        after=math.fsum(after[seed] for seed in seeds) / pairs,
        change=change,
        low=low,
        high=high,
    )


def _t_quantile(confidence: float, degrees: int) -> float:
    from scipy.special import stdtrit  # imported late: scipy costs a second that most callers never need

    return float(stdtrit(degrees, 0.5 + confidence / 2))
