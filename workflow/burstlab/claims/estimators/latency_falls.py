"""B1: with burstier arrivals median and p90 of TPOT and E2EL fall; under the source's conditions by about half."""

from collections.abc import Iterator

from burstlab.claims.changes import is_direct, relative
from burstlab.claims.check import Check, falls, near_change, unclaimed
from burstlab.claims.evidence import Evidence
from burstlab.claims.schema import Claim

FALLING = {
    "median_tpot_ms": "median TPOT",
    "p90_tpot_ms": "p90 TPOT",
    "median_e2el_ms": "median E2EL",
    "p90_e2el_ms": "p90 E2EL",
}
HALVED = {"median_tpot_ms": "median TPOT", "median_e2el_ms": "median E2EL"}


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """Four changes a group; that of TTFT informs only, for the source says that it may go either way."""
    for contrast in evidence.contrasts():
        checks = [relative(claim, contrast, column, label, falls()) for column, label in FALLING.items()]
        checks.append(relative(claim, contrast, "median_ttft_ms", "median TTFT", unclaimed(), headline=False))
        if is_direct(claim, contrast) and claim.tolerance is not None:
            for column, label in HALVED.items():
                half = near_change(claim.value(f"{label}, relative change").value, claim.tolerance)
                checks.append(relative(claim, contrast, column, f"{label}, its size", half))
        yield from (check for check in checks if check is not None)
