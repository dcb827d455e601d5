"""S2 and S8: how many chunks or blocks of a size it takes to hold a number of tokens."""

from collections.abc import Iterator

from burstlab.claims.check import Check, near
from burstlab.claims.evidence import Evidence
from burstlab.claims.schema import Claim
from burstlab.statistics.interval import exact


def estimate(claim: Claim, _: Evidence) -> Iterator[Check]:
    """⌈tokens/size⌉, exactly."""
    tokens, size = round(claim.parameters["tokens"]), round(claim.parameters["size"])
    published = claim.published[0]
    yield Check(
        quantity=f"{published.unit} of {size} that {tokens} tokens take",
        unit=published.unit,
        evidence="published",
        interval=exact(float(-(-tokens // size))),
        region=near(published.value, 0.0, f"{published.value:g}"),
        direct=True,
        published=published.value,
    )
