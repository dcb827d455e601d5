"""B20: in a single-server queue, waiting rises with the squared CV of the arrivals, as Kingman's formula has it."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from burstlab.claims.changes import relative
from burstlab.claims.check import Check, Region, Subject, near, rises
from burstlab.claims.evidence import BySeed, Evidence
from burstlab.claims.schema import Claim
from burstlab.queueing.kingman import approximation_s, bound_s
from burstlab.queueing.lindley import waits_s
from burstlab.statistics.level import level_interval
from burstlab.statistics.relative_change import change_p_value, relative_change

CUSTOMERS, WARM_UP, SEEDS = 200_000, 20_000, 10
UTILISATIONS, BURSTINESSES = (0.5, 0.7, 0.9), (1.0, 0.5, 0.1)


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """The simulated queue against bound and approximation, and TTFT, which holds the waiting, on measured cells.

    The engine is no single-server queue: it serves many requests at once. So its cells are different conditions.
    """
    yield from _queue(claim)
    for contrast in evidence.contrasts():
        check = relative(claim, contrast, "mean_ttft_ms", "mean TTFT", rises())
        if check is not None:
            yield check


def _queue(claim: Claim) -> Iterator[Check]:
    for utilisation in UTILISATIONS:
        waits = {b: _mean_waits(utilisation, b) for b in BURSTINESSES}
        yield from _rise(utilisation, waits[BURSTINESSES[0]], waits[BURSTINESSES[-1]])
        for b, found in waits.items():
            yield from _against_formulas(claim, utilisation, b, list(found.values()))


def _rise(utilisation: float, steady: BySeed, bursty: BySeed) -> Iterator[Check]:
    change = relative_change(steady, bursty)
    if change is not None:
        yield Check(
            "relative change of the mean wait from b=1 to b=0.1",
            "",
            "simulated",
            change,
            rises(),
            Subject(setting=f"utilisation {utilisation:g}"),
            direct=True,
            p_value=change_p_value(steady, bursty),
        )


def _against_formulas(claim: Claim, utilisation: float, b: float, waits: list[float]) -> Iterator[Check]:
    for name, formula, region, headline in (
        ("bound", bound_s, Region("at most 1", 0.0, 1.0), True),
        ("approximation", approximation_s, near(1.0, claim.tolerance or 0.0), False),
    ):
        interval = level_interval([wait / formula(utilisation, 1.0, 1 / b, 1.0) for wait in waits])
        if interval is not None:
            quantity = f"mean wait over Kingman's {name}"
            setting = Subject(setting=f"b={b:g}, utilisation {utilisation:g}")
            yield Check(quantity, "", "simulated", interval, region, setting, direct=True, headline=headline)


@cache
def _mean_waits(utilisation: float, burstiness: float) -> BySeed:
    """Seed → mean wait, in mean service times: gamma gaps, exponential service; the first customers are left out."""
    found = {}
    for seed in range(SEEDS):
        rng = np.random.default_rng(seed)
        services = rng.exponential(size=CUSTOMERS)
        scale = 1 / (utilisation * burstiness)
        gaps = rng.gamma(burstiness, scale, size=CUSTOMERS - 1)
        found[seed] = float(waits_s(gaps, services)[WARM_UP:].mean())
    return found
