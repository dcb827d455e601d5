"""A median of independent values, with bounds that need no distribution."""

from collections.abc import Sequence

import numpy as np

from burstlab.statistics.interval import Interval


def median_interval(values: Sequence[float] | np.ndarray, confidence: float = 0.95) -> Interval | None:
    """The median, and the closest pair of order statistics that hold it with at least `confidence`; None where so few hold none.

    As many values are below the median as heads come of so many coins, whatever the distribution (David and Nagaraja,
    "Order Statistics", 2003, section 7.1). For 95% it takes six values.
    """
    from scipy.special import bdtr  # imported late: scipy costs a second that most callers never need

    ordered = np.sort(np.asarray(values, float))
    n = len(ordered)
    tail = (1 - confidence) / 2
    # The k-th lowest value is above the median with the probability of fewer than k heads.
    places = [k for k in range(1, n // 2 + 1) if bdtr(k - 1, n, 0.5) <= tail]
    if not places:
        return None
    low, high = float(ordered[places[-1] - 1]), float(ordered[n - places[-1]])
    return Interval(float(np.median(ordered)), low, high, n, "order statistics")
