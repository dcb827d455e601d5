"""How long a benchmark may take before it counts as hung."""

import math

from burstlab.session.measure import LEAST_PATIENCE_S, patience_s


def test_patience_grows_with_the_planned_length() -> None:
    assert patience_s(requests=1000, rate_per_s=10.0) == 2000.0


def test_short_and_unpaced_benchmarks_get_a_least_patience() -> None:
    assert patience_s(requests=10, rate_per_s=10.0) == LEAST_PATIENCE_S
    assert patience_s(requests=1000, rate_per_s=math.inf) == LEAST_PATIENCE_S
