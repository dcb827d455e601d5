"""B7: mixed batches get larger and more prefill-heavy, and yet faster."""

from collections.abc import Iterator

from burstlab.claims.changes import difference, relative
from burstlab.claims.check import Check, falls, rises
from burstlab.claims.evidence import Evidence
from burstlab.claims.schema import Claim


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """Three changes a group: tokens in a mixed batch, the prompt's share of them, and its duration."""
    for contrast in evidence.contrasts():
        share = "change of the prompt tokens' share in mixed batches"
        for check in (
            relative(claim, contrast, "mean_mixed_tokens", "tokens in a mixed batch", rises()),
            difference(claim, contrast, "mixed_context_share", share, rises()),
            relative(claim, contrast, "mean_mixed_ms", "duration of a mixed batch", falls()),
        ):
            if check is not None:
                yield check
