from pathlib import Path

import numpy as np
from tests.claims.made import checks, evidence

from burstlab.claims.estimators import router_gaps


def test_both_laws_hold(tmp_path: Path) -> None:
    found = checks("B18", evidence(tmp_path, []))
    assert len(found) == 12
    assert {check.result for check in found} == {"holds"}
    assert {check.evidence for check in found} == {"simulated"}


def test_the_distance_tells_the_laws_apart() -> None:
    gaps = np.random.default_rng(0).gamma(4.0, size=20_000)
    right, wrong = router_gaps._distance(gaps, 4), router_gaps._distance(gaps, 1)
    assert right < 0.015
    assert wrong > 0.2


def test_the_distance_of_one_gap_by_hand() -> None:
    # One gap, so the mean is the gap itself: the exponential law has 1 − 1/e there, and the step goes from 0 to 1.
    assert router_gaps._distance(np.array([3.0]), 1) == 1 - np.exp(-1)
