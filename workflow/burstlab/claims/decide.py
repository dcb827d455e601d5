"""From checks to verdicts."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from burstlab.claims.check import FAILS, HOLDS, UNTOLD, Check, adjusted
from burstlab.claims.schema import Claim

REPRODUCED, CONTRADICTED, INCONCLUSIVE = "reproduced", "contradicted", "inconclusive"
DIFFERENT, NOT_RUN = "different conditions", "not run"
VERDICTS = (REPRODUCED, CONTRADICTED, INCONCLUSIVE, DIFFERENT, NOT_RUN)
MIXED, PARTLY = "mixed", "partly"
TRENDS = (HOLDS, PARTLY, MIXED, UNTOLD, FAILS)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks of one kind of evidence on one platform say of a claim.

    `trend` says how the headline checks went: `holds` in all of them, `fails` in some and holds in none, `mixed`,
    `partly` (holds where it is told, and it is not told everywhere) or `not told`. Empty for `not run`.
    """

    claim: Claim
    verdict: str
    trend: str
    evidence: str
    platform: str
    checks: tuple[Check, ...]

    @property
    def headline(self) -> tuple[Check, ...]:
        """The checks that the verdict rests on."""
        return tuple(check for check in self.checks if check.headline)


def decide(claim: Claim, checks: Sequence[Check]) -> Iterator[Verdict]:
    """Verdicts on a claim: one for each evidence, platform, and whether the conditions are the source's; evidence never mixes.

    Only `holds` and `fails` that survive Benjamini-Hochberg over the claim's checks of that verdict count.
    """
    ordered = sorted(checks, key=_key)
    decided = False
    for (evidence, platform, direct), some in groupby(ordered, key=_key):
        family = adjusted(list(some))
        if not any(check.headline for check in family):
            continue
        decided = True
        trend = trend_of([check.result for check in family if check.headline])
        verdict = _direct(trend) if direct else DIFFERENT
        yield Verdict(claim, verdict, trend, evidence, platform, tuple(family))
    if not decided:
        yield Verdict(claim, NOT_RUN, "", "", "", ())


def trend_of(results: Sequence[str]) -> str:
    """One word for the results of several checks."""
    held, failed = results.count(HOLDS), results.count(FAILS)
    if failed:
        return MIXED if held else FAILS
    if held == len(results):
        return HOLDS
    return PARTLY if held else UNTOLD


def _direct(trend: str) -> str:
    # One sure counter-example under the source's own conditions contradicts it.
    if trend == HOLDS:
        return REPRODUCED
    return CONTRADICTED if trend in (FAILS, MIXED) else INCONCLUSIVE


def _key(check: Check) -> tuple[str, str, bool]:
    return (check.evidence, check.subject.platform, check.direct)
