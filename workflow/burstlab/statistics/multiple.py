"""Many comparisons at once."""

from collections.abc import Sequence


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values, in the order given: calling those at or below α changes, at most a share α of the calls is false.

    min over j ≥ i of p(j)·m/j, at most 1 (Benjamini and Hochberg 1995), for tests that are independent or positively
    dependent, as metrics of the same cells are.
    """
    if not p_values:
        return []
    from scipy.stats import false_discovery_control

    return [float(value) for value in false_discovery_control(list(p_values), method="bh")]
