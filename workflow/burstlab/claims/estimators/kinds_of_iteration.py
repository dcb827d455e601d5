"""B3 and B4: at one burstiness, the share of tokens from decode-only iterations and the mean duration of both kinds."""

import math
from collections.abc import Iterator

from burstlab.claims.changes import is_direct, sizes_count
from burstlab.claims.check import Check, near
from burstlab.claims.evidence import Contrast, Evidence
from burstlab.claims.schema import Claim
from burstlab.statistics.level import level_interval

COLUMNS = {
    "decode-only share": "decode_only_token_share",
    "decode-only iteration": "mean_decode_only_ms",
    "mixed iteration": "mean_mixed_ms",
}


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """Three values a group that is as published, but for the data set's stand-in; the tolerance is a fraction of each."""
    wanted = claim.parameters["burstiness"]
    for contrast in evidence.contrasts():
        if not sizes_count(claim, contrast) or wanted not in (contrast.steady_b, contrast.bursty_b):
            continue
        for name, column in COLUMNS.items():
            check = _value(claim, contrast, name, column, wanted == contrast.steady_b)
            if check is not None:
                yield check


def _value(claim: Claim, contrast: Contrast, name: str, column: str, steady: bool) -> Check | None:
    published = claim.value(name)
    by_seed = contrast.steady(column) if steady else contrast.bursty(column)
    found = level_interval([value for value in by_seed.values() if math.isfinite(value)])
    if found is None:
        return None
    return Check(
        quantity=name,
        unit=published.unit,
        evidence=contrast.evidence,
        interval=found,
        region=near(published.value, (claim.tolerance or 0.0) * published.value),
        subject=contrast.subject,
        direct=is_direct(claim, contrast),
        published=published.value,
        confounds=contrast.confounds(),
    )
