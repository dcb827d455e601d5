"""B5: shares and durations of the kinds of iteration predict TPOT. Arithmetic on the printed numbers, and on measured cells."""

from collections.abc import Callable, Iterator
from itertools import product

import numpy as np

from burstlab.claims.changes import is_direct
from burstlab.claims.check import Check, near
from burstlab.claims.evidence import Contrast, Evidence
from burstlab.claims.schema import Claim, Published
from burstlab.statistics.interval import Interval
from burstlab.statistics.relative_change import relative_change

INPUTS = ("decode-only share", "decode-only iteration", "mixed iteration")


def estimate(claim: Claim, evidence: Evidence) -> Iterator[Check]:
    """The three printed results from the printed inputs, and how far the expected interval is from the mean TPOT of cells."""
    yield from _printed(claim)
    for contrast in evidence.contrasts():
        for name, tpot, expected in (
            ("steadiest", contrast.steady("mean_tpot_ms"), contrast.steady("expected_interval_ms")),
            ("burstiest", contrast.bursty("mean_tpot_ms"), contrast.bursty("expected_interval_ms")),
        ):
            found = relative_change(tpot, expected)
            if found is not None and claim.tolerance is not None:
                yield _measured(claim, contrast, name, found, claim.tolerance)


def _measured(claim: Claim, contrast: Contrast, name: str, found: Interval, tolerance: float) -> Check:
    return Check(
        quantity=f"expected interval against mean TPOT, {name} arrivals",
        unit="",
        evidence=contrast.evidence,
        interval=found,
        region=near(0.0, tolerance, f"within ±{tolerance:.0%}"),
        subject=contrast.subject,
        direct=is_direct(claim, contrast),
        confounds=contrast.confounds(),
    )


def _printed(claim: Claim) -> Iterator[Check]:
    steady, bursty = ([_bounds(claim.value(f"b={b}: {name}")) for name in INPUTS] for b in ("1", "0.1"))
    both = [*steady, *bursty]
    results = {
        "fall": _over_corners(both, lambda x: 1 - _interval_ms(x[3:]) / _interval_ms(x[:3])),
        "interval at b=1": _over_corners(steady, _interval_ms),
        "interval at b=0.1": _over_corners(bursty, _interval_ms),
    }
    for name, interval in results.items():
        published = claim.value(name)
        yield Check(
            quantity=f"{name}, recomputed from the printed inputs",
            unit=published.unit,
            evidence="published",
            interval=interval,
            region=near(published.value, published.rounding),
            direct=True,
            published=published.value,
            rounding=True,
            note="the interval is what the rounding of the inputs leaves open",
        )


def _bounds(number: Published) -> tuple[float, float, float]:
    return (number.value, number.value - number.rounding, number.value + number.rounding)


def _interval_ms(inputs: np.ndarray) -> float:
    share, decode_only_ms, mixed_ms = inputs
    return float(share * decode_only_ms + (1 - share) * mixed_ms)


def _over_corners(
    inputs: list[tuple[float, float, float]], result: Callable[[np.ndarray], float]
) -> Interval:
    """The result at the printed inputs, and its extremes: it is monotone in each input, so they lie at corners."""
    corners = [result(np.array(corner)) for corner in product(*(bounds[1:] for bounds in inputs))]
    nominal = result(np.array([bounds[0] for bounds in inputs]))
    return Interval(nominal, min(corners), max(corners), 0, "interval arithmetic over the rounding of inputs")
