"""B14: bursts lower TPOT where decode-only batches are much more efficient than mixed ones, and only there."""

import math
from collections.abc import Iterator

import numpy as np

from burstlab.claims.changes import is_direct, of_values, relative
from burstlab.claims.check import Check, Region, falls, rises, unclaimed
from burstlab.claims.evidence import BySeed, Contrast, Evidence
from burstlab.claims.exact_batches import informing
from burstlab.claims.schema import Claim
from burstlab.exact_batches.effects import TWICE
from burstlab.iterations.decomposition import Costs, decompose
from burstlab.statistics.interval import Interval
from burstlab.statistics.relative_change import relative_change

COLUMNS = ("decode_only_token_share", "mean_decode_only_ms", "mean_mixed_ms")
PARTS = (
    "part of the change of the expected interval from the shift between kinds",
    "part of it from the cost of decode-only iterations",
    "part of it from the cost of mixed iterations",
)

MIXING = {
    "forward": "spared if two prompts come at once, in place of one after the other, of an iteration of decodes, in exact batches"
}


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """The change of median TPOT, held against what the durations of both kinds foretell, and the mechanism's parts.

    "Much more efficient" is that a mixed iteration takes `parameters.much` times as long as a decode-only one, or more, under the
    steadiest arrivals. Where the ratio's interval holds that number there is no prediction, and the change informs only. So does
    what exact batches say of mixing itself, which that ratio hides behind the prompts' own work.
    """
    yield from informing(claim, evidence, TWICE, MIXING, Region("above 0", 0.0, math.inf))
    much = claim.parameters["much"]
    for contrast in evidence.contrasts():
        ratio = relative_change(contrast.steady("mean_decode_only_ms"), contrast.steady("mean_mixed_ms"))
        if ratio is None:
            continue
        region = _foretold(ratio, much)
        check = relative(
            claim,
            contrast,
            "median_tpot_ms",
            "median TPOT",
            region or unclaimed(),
            headline=region is not None,
            kinds=True,
        )
        if check is not None:
            yield check
        yield from _mechanism(claim, contrast, ratio)


def _foretold(ratio: Interval, much: float) -> Region | None:
    if 1 + ratio.low >= much:
        return falls()
    return rises() if 1 + ratio.high < much else None


def _mechanism(claim: Claim, contrast: Contrast, ratio: Interval) -> Iterator[Check]:
    times = Interval(1 + ratio.estimate, 1 + ratio.low, 1 + ratio.high, ratio.units, ratio.method)
    yield Check(
        quantity="duration of a mixed over that of a decode-only iteration, steadiest arrivals",
        unit="times",
        evidence=contrast.evidence,
        interval=times,
        region=Region(f"{claim.parameters['much']:g} or more", claim.parameters["much"], math.inf),
        subject=contrast.subject,
        headline=False,
        direct=is_direct(claim, contrast),
        confounds=contrast.confounds(kinds=True),
    )
    before, after = _costs(contrast)
    parts = decompose(before, after)
    for label, values in zip(PARTS, (parts.shares_ms, parts.decode_only_ms, parts.mixed_ms), strict=True):
        check = of_values(claim, contrast, label, values, unclaimed(), headline=False, unit="ms", kinds=True)
        if check is not None:
            yield check


def _costs(contrast: Contrast) -> tuple[Costs, Costs]:
    before = [contrast.steady(column) for column in COLUMNS]
    after = [contrast.bursty(column) for column in COLUMNS]
    seeds = [seed for seed in sorted(before[0]) if all(_usable(side, seed) for side in (*before, *after))]
    sides = (
        Costs(*(np.array([column[seed] for seed in seeds]) for column in side)) for side in (before, after)
    )
    old, new = sides
    return old, new


def _usable(column: BySeed, seed: int) -> bool:
    return math.isfinite(column.get(seed, math.nan))
