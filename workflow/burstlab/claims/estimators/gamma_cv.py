"""B15: the CV of gamma gaps is 1/√b, by formula and in what the project's own generator draws."""

import math
from collections.abc import Iterator

import numpy as np

from burstlab.arrivals.dispersion import gaps_s, realised_cv
from burstlab.arrivals.gamma import planned_send_s
from burstlab.claims.check import Check, near
from burstlab.claims.evidence import Evidence
from burstlab.claims.schema import Claim
from burstlab.statistics.interval import exact
from burstlab.statistics.student import mean_interval

REQUESTS, SEEDS = 100_000, 20


def estimate(claim: Claim, _: Evidence) -> Iterator[Check]:
    """For each published b the formula's CV, to the digits printed, and the sampled one, within the tolerance."""
    for published in claim.published:
        b = float(published.name.removeprefix("b="))
        yield Check(
            quantity=f"CV at b={b:g}, by formula",
            unit="",
            evidence="published",
            interval=exact(1 / math.sqrt(b)),
            region=near(published.value, published.rounding),
            direct=True,
            published=published.value,
        )
        drawn = mean_interval(
            np.array([realised_cv(gaps_s(planned_send_s(REQUESTS, 1.0, b, seed))) for seed in range(SEEDS)])
        )
        if drawn is not None:
            yield Check(
                quantity=f"CV at b={b:g}, drawn",
                unit="",
                evidence="simulated",
                interval=drawn,
                region=near(published.value, (claim.tolerance or 0.0) * published.value),
                direct=True,
                published=published.value,
                note=f"{SEEDS} seeds of {REQUESTS:,} gaps",
            )
