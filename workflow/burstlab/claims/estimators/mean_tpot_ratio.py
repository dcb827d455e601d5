"""B2: the size of the fall of mean TPOT, under the source's conditions, or with a stand-in for its data set."""

from collections.abc import Iterator
from dataclasses import replace

from burstlab.claims.changes import relative, sizes_count
from burstlab.claims.check import Check, near_change
from burstlab.claims.evidence import Evidence
from burstlab.claims.schema import Claim


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """One change a group that is as published, but for the data set's stand-in."""
    published = claim.value("mean TPOT, relative change")
    region = near_change(published.value, claim.tolerance or published.rounding)
    for contrast in evidence.contrasts():
        if sizes_count(claim, contrast):
            check = relative(claim, contrast, "mean_tpot_ms", "mean TPOT", region)
            if check is not None:
                yield replace(check, published=published.value)
