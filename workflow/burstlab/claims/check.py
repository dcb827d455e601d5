"""One thing that a claim says of one group of cells, held against what was found there."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from burstlab.statistics.interval import Interval
from burstlab.statistics.multiple import benjamini_hochberg
from burstlab.statistics.pairing import LEAST_PAIRS
from burstlab.wording import count

HOLDS, FAILS, UNTOLD = "holds", "fails", "not told"
FALSE_DISCOVERIES = 0.05


@dataclass(frozen=True, slots=True)
class Region:
    """Where a quantity lies if the claim is true, in words and as bounds in the quantity's unit."""

    words: str
    low: float
    high: float


def falls() -> Region:
    """Below 0."""
    return Region("falls", -math.inf, 0.0)


def rises() -> Region:
    """Above 0."""
    return Region("rises", 0.0, math.inf)


def unclaimed() -> Region:
    """Below 0, for a change of which nothing is claimed: `holds` then says that it fell, `fails` that it rose."""
    return Region("no claim; holds where it fell", -math.inf, 0.0)


def near(value: float, tolerance: float, words: str | None = None) -> Region:
    """Not further than `tolerance` from a value."""
    return Region(words or f"{value:.4g} ± {tolerance:.4g}", value - tolerance, value + tolerance)


def near_change(value: float, tolerance: float) -> Region:
    """`near` of a relative change, in % as such changes are shown."""
    return near(value, tolerance, f"{100 * value:+.3g} ± {100 * tolerance:.3g}%".replace("-", "−"))


@dataclass(frozen=True, slots=True)
class Subject:
    """Which cells a check rests on, and what was varied. What needs no cells, such as arithmetic, has a setting alone."""

    platform: str = ""
    model: str = ""
    engine: str = ""
    workload: str = ""
    rate: float | None = None
    setting: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A quantity's estimate with its interval, and the region where the claim says it lies.

    `direct` says that the conditions are those of the source. A check that is not `headline` informs, and no verdict
    rests on it. `p_value` is that of "no change", for directions; `adjusted_p` the same after Benjamini-Hochberg
    over `comparisons` of them (`claims/families.py`). `metric` is the column of the table of cells whose change from the
    steadiest to the burstiest arrivals it is; empty for anything else. `confounds` are what the gates of a
    comparison object to: what else was different, with the evidence. `alike` are other engines of which the same simulation
    says the same (`claims/alike.py`).
    """

    quantity: str
    unit: str
    evidence: str
    interval: Interval
    region: Region
    subject: Subject = Subject()
    direct: bool = False
    headline: bool = True
    published: float | None = None
    p_value: float | None = None
    adjusted_p: float | None = None
    rounding: bool = False
    note: str = ""
    confounds: tuple[str, ...] = ()
    metric: str = ""
    comparisons: int | None = None
    alike: tuple[str, ...] = ()

    @property
    def thin(self) -> bool:
        """Whether it rests on too few pairs for a verdict; exact results rest on none."""
        return 0 < self.interval.units < LEAST_PAIRS

    @property
    def taken_back(self) -> bool:
        """Whether its interval excludes 0, and yet among its comparisons a change is not told."""
        many = self.adjusted_p is not None and self.adjusted_p > FALSE_DISCOVERIES
        return many and not self.thin and self.interval.outside(0, 0)

    @property
    def result(self) -> str:
        """`holds` if the whole interval lies in the region, `fails` if none of it does, else, or if it is thin, `not told`.

        An interval that stands for `rounding` holds every result that the printed inputs allow: meeting the region is agreement.
        """
        if self.rounding:
            return FAILS if self.interval.outside(self.region.low, self.region.high) else HOLDS
        if self.thin:
            return UNTOLD
        if self.adjusted_p is not None and self.adjusted_p > FALSE_DISCOVERIES:
            return UNTOLD
        if self.interval.within(self.region.low, self.region.high):
            return HOLDS
        return FAILS if self.interval.outside(self.region.low, self.region.high) else UNTOLD


def excludes_zero_in_vain(comparisons: int) -> str:
    """What is said, everywhere, of a change that its interval alone would tell."""
    return f"the 95% interval excludes 0, but among {count(comparisons, 'comparison')} this is not told"


def adjusted(checks: Sequence[Check]) -> list[Check]:
    """The checks with `adjusted_p`. Those that a verdict rests on are one family, those that only inform another; thin ones,
    which tell nothing, are in none, and those that have their metric's correction already keep it."""
    found = list(checks)
    for headline in (True, False):
        family = [
            (number, check.p_value)
            for number, check in enumerate(checks)
            if check.p_value is not None
            and check.headline is headline
            and not check.thin
            and check.comparisons is None
        ]
        values = benjamini_hochberg([p_value for _, p_value in family])
        for (number, _), value in zip(family, values, strict=True):
            found[number] = replace(checks[number], adjusted_p=value, comparisons=len(family))
    return found
