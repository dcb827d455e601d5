"""B6: the share of tokens that decode-only iterations make rises."""

from collections.abc import Iterator

from burstlab.claims.changes import difference
from burstlab.claims.check import Check, rises
from burstlab.claims.evidence import Evidence
from burstlab.claims.schema import Claim


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """One change a group."""
    for contrast in evidence.contrasts():
        check = difference(
            claim, contrast, "decode_only_token_share", "change of the decode-only share", rises()
        )
        if check is not None:
            yield check
