"""How many more seeds a comparison needs."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from burstlab.statistics.pairing import LEAST_PAIRS
from burstlab.statistics.power import detectable_effect, deviation_upper_limit, seeds_needed
from burstlab.statistics.relative_change import log_ratios


@dataclass(frozen=True, slots=True)
class SeedPlan:
    """What the paired seeds at hand say of the seeds that are needed.

    `deviation` is that of the log ratios. `needed` takes it as it came out; `safe` takes what it stays below with 80%
    confidence, since few seeds may have shown too little. Both None beyond ten thousand, and never below `LEAST_PAIRS`, on
    fewer than which no verdict rests. `detectable` is the least relative rise that the seeds at hand tell.
    """

    seeds: int
    deviation: float
    detectable: float
    needed: int | None
    safe: int | None

    @property
    def more(self) -> int | None:
        """Seeds to add to reach `safe`."""
        return None if self.safe is None else max(0, self.safe - self.seeds)


def seed_plan(
    before: Mapping[int, float], after: Mapping[int, float], effect: float, wanted_power: float = 0.8
) -> SeedPlan | None:
    """The plan for telling a relative change `effect` (0.1 is 10%) with this power; None below two shared seeds.

    A rise and a fall of the same size differ as log ratios; the smaller one, ln(1 + effect), is planned for.
    """
    ratios = log_ratios(before, after)
    seeds = len(ratios)
    if seeds < 2:
        return None
    deviation = float(ratios.std(ddof=1))
    size = math.log1p(effect)
    return SeedPlan(
        seeds=seeds,
        deviation=deviation,
        detectable=math.expm1(min(detectable_effect(seeds, deviation, wanted_power) or 0.0, 700.0)),
        needed=_needed(size, deviation, wanted_power),
        safe=_needed(size, deviation_upper_limit(deviation, seeds), wanted_power),
    )


def _needed(size: float, deviation: float, wanted_power: float) -> int | None:
    found = seeds_needed(size, deviation, wanted_power)
    return None if found is None else max(found, LEAST_PAIRS)
