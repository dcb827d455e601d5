"""How many seeds it takes to tell a change of a given size."""

import math

MOST_SEEDS = 10_000


def power(seeds: int, effect: float, deviation: float, significance: float = 0.05) -> float:
    """The chance that `seeds` pairs tell a true mean change `effect`, whose pairs have standard deviation `deviation`.

    Both in the same unit; for relative changes, that of the log ratio. Two-sided paired t-test: the noncentral t
    distribution with n−1 degrees and noncentrality √n·effect/deviation. 0 below two seeds.
    """
    from scipy import stats

    if seeds < 2:
        return 0.0
    if deviation == 0:
        return 1.0 if effect else significance
    degrees = seeds - 1
    critical = stats.t.isf(significance / 2, degrees)
    shift = math.sqrt(seeds) * abs(effect) / deviation
    # Beyond this the noncentral t underflows, and the answer is 1 to all digits.
    if shift > critical + 37:
        return 1.0
    above, below = stats.nct.sf(critical, degrees, shift), stats.nct.cdf(-critical, degrees, shift)
    return min(1.0, float(above) + (float(below) if math.isfinite(below) else 0.0))


def seeds_needed(
    effect: float, deviation: float, wanted_power: float = 0.8, significance: float = 0.05
) -> int | None:
    """The fewest seeds whose `power` reaches `wanted_power`; None if not even ten thousand do."""
    low, high = 1, 2
    while power(high, effect, deviation, significance) < wanted_power:
        low, high = high, high * 2
        if high > MOST_SEEDS:
            return None
    while high - low > 1:
        middle = (low + high) // 2
        if power(middle, effect, deviation, significance) < wanted_power:
            low = middle
        else:
            high = middle
    return high


def deviation_upper_limit(deviation: float, seeds: int, confidence: float = 0.8) -> float:
    """What the true standard deviation stays below with this confidence, if `seeds` pairs showed `deviation`.

    s·√((n−1)/χ²(1−confidence, n−1)), for normal values. A plan made with the observed deviation of few seeds fails
    about every second time (Browne, "On the use of a pilot sample for sample size determination", 1995).
    """
    from scipy import stats

    return deviation * math.sqrt((seeds - 1) / float(stats.chi2.ppf(1 - confidence, seeds - 1)))


def detectable_effect(
    seeds: int, deviation: float, wanted_power: float = 0.8, significance: float = 0.05
) -> float | None:
    """The least effect that `seeds` pairs tell with `wanted_power`, in the unit of `deviation`; None below two seeds."""
    if seeds < 2:
        return None
    if deviation == 0:
        return 0.0
    low, high = 0.0, deviation
    while power(seeds, high, deviation, significance) < wanted_power:
        low, high = high, high * 2
    while high - low > 1e-4 * high:
        middle = (low + high) / 2
        if power(seeds, middle, deviation, significance) < wanted_power:
            low = middle
        else:
            high = middle
    return high
