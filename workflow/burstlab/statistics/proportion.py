"""The interval of a proportion."""

from burstlab.statistics.interval import Interval


def proportion_interval(found: int, total: int, confidence: float = 0.95) -> Interval | None:
    """The share `found` / `total` with its exact binomial interval; None of nothing.

    Clopper and Pearson, "The use of confidence or fiducial limits illustrated in the case of the binomial", 1934: the shares
    under which neither so few nor so many would be found less often than (1 − confidence)/2. All of n leave 1 down to
    about 1 − 3.7/n. Raises ValueError where `found` is not between 0 and `total`.
    """
    from scipy.special import betaincinv  # imported late: scipy costs a second that most callers never need

    if not 0 <= found <= total:
        raise ValueError(f"{found} of {total} is no share")
    if not total:
        return None
    tail = (1 - confidence) / 2
    low = float(betaincinv(found, total - found + 1, tail)) if found else 0.0
    high = float(betaincinv(found + 1, total - found, 1 - tail)) if found < total else 1.0
    return Interval(found / total, low, high, total, "exact binomial")
