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

_Key = tuple[str, str, bool, bool]
"""Evidence, platform, whether the conditions are the source's, and whether a gate of the comparison failed."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the checks of one kind of evidence on one platform say of a claim.

    Either all of the checks that it rests on are confounded or none is.

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
        """The checks that the verdict rests on; the thin ones, if there are no others."""
        claimed = [check for check in self.checks if check.headline]
        return tuple([check for check in claimed if not check.thin] or claimed)

    @property
    def thin(self) -> tuple[Check, ...]:
        """The checks of what is claimed that rest on too few pairs: no verdict rests on them."""
        return tuple(check for check in self.checks if check.headline and check.thin)

    @property
    def informing(self) -> tuple[Check, ...]:
        """The checks beside what is claimed, but for the thin ones."""
        return tuple(check for check in self.checks if not check.headline and not check.thin)

    @property
    def confounds(self) -> tuple[str, ...]:
        """What else than the thing compared was different, in any of the checks that the verdict rests on."""
        return tuple(sorted({text for check in self.headline for text in check.confounds}))


def decide(claim: Claim, checks: Sequence[Check]) -> Iterator[Verdict]:
    """Verdicts on a claim: one for each evidence, platform, whether the conditions are the source's, and whether a gate of
    the comparison failed; evidence never mixes.

    Only `holds` and `fails` that survive Benjamini-Hochberg count, over their metric's family (`claims/families.py`) or, for
    what is the claim's alone, over its checks of that verdict; and none that is thin. What is confounded neither reproduces
    nor contradicts.
    """
    families = {key: adjusted(list(some)) for key, some in groupby(sorted(checks, key=_key), key=_key)}
    resting = [key for key, family in families.items() if any(check.headline for check in family)]
    for key in resting:
        evidence, platform, direct, confounded = key
        family = [check for other, some in families.items() if _host(other, resting) == key for check in some]
        told = [check.result for check in families[key] if check.headline and not check.thin]
        trend = trend_of(told) if told else UNTOLD
        verdict = _direct(trend) if direct and not confounded else DIFFERENT
        yield Verdict(claim, verdict, trend, evidence, platform, tuple(family))
    if not resting:
        yield Verdict(claim, NOT_RUN, "", "", "", ())


def _host(key: _Key, resting: Sequence[_Key]) -> _Key | None:
    """The verdict that checks stand in: their own, or where they only inform one of the same evidence and platform.

    What exact batches say has no confound, and would be lost where each comparison of arrivals has one.
    """
    if key in resting:
        return key
    hosts = [other for other in resting if other[:2] == key[:2]]
    return max(hosts, key=lambda other: other[2] == key[2], default=None)


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


def _key(check: Check) -> _Key:
    return (check.evidence, check.subject.platform, check.direct, bool(check.confounds))
