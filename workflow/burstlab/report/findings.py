"""What the data say of bursts, in sentences: paired changes from the steadiest to the burstiest arrivals.

The rules are the ledger's: a comparison of which a gate says that not only bursts were different gives no finding, nor do
fewer than `LEAST_PAIRS` pairs, and a change is told where the correction that the ledger has of it tells it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

import pandas as pd

from burstlab.claims.alike import Alike, alike, first_of
from burstlab.claims.check import FALSE_DISCOVERIES, excludes_zero_in_vain
from burstlab.claims.evidence import Contrast, comparable, contrasts_of
from burstlab.claims.families import Correction, Key, corrections
from burstlab.statistics.interval import Interval, scaled
from burstlab.statistics.pairing import LEAST_PAIRS, paired_values
from burstlab.statistics.relative_change import relative_change
from burstlab.statistics.student import mean_interval
from burstlab.wording import count, quantity, rate, signed

FELL, ROSE, UNTOLD, NO_VERDICT = "fell", "rose", "not told", "no verdict"
CONFOUNDED = "different conditions"


@dataclass(frozen=True, slots=True)
class Metric:
    """A column of the cells table, and how to speak of it."""

    column: str
    label: str
    unit: str
    scale: float = 1.0


METRICS = (
    Metric("median_tpot_ms", "median TPOT", "ms"),
    Metric("mean_e2el_ms", "mean E2EL", "ms"),
    Metric("median_ttft_ms", "median TTFT", "ms"),
    Metric("decode_only_token_share", "decode-only share of tokens", "points", scale=100),
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One metric's change; `verdict` is one of the five words above. `remark` says where the interval alone would tell more."""

    metric: Metric
    verdict: str
    sentence: str
    short: str
    size: str
    interval: str
    remark: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The findings of one rate and evidence; `repeats` is the engine whose simulation is the same, if there is one before."""

    rate: str
    load: float | None
    steady: str
    bursty: str
    evidence: str
    repeats: str
    findings: tuple[Finding, ...]


@dataclass(frozen=True, slots=True)
class Among:
    """What is known of all the study's comparisons: the correction of each, and which are one simulation."""

    corrections: Mapping[Key, Correction]
    same: Alike

    @classmethod
    def of(cls, cells: pd.DataFrame) -> Self:
        """Of all of the study's cells."""
        contrasts = list(contrasts_of(comparable(cells)))
        same = alike(contrasts)
        return cls(corrections(contrasts, same), same)


def comparisons(cells: pd.DataFrame, among: Among) -> Iterator[Comparison]:
    """One comparison for each rate and evidence of a group's counted cells that has two burstinesses."""
    for contrast in contrasts_of(comparable(cells)):
        load = contrast.cells["load"].astype(float).dropna()
        objections = contrast.confounds()
        yield Comparison(
            rate=rate(contrast.subject.rate or 0.0),
            load=float(load.mean()) if len(load) else None,
            steady=_arrivals(contrast.cells, contrast.steady_b),
            bursty=_arrivals(contrast.cells, contrast.bursty_b),
            evidence=contrast.evidence,
            repeats=first.engine if (first := first_of(contrast, among.same)) != contrast.subject else "",
            findings=tuple(
                _finding(
                    metric,
                    contrast,
                    among.corrections.get((contrast.subject, contrast.evidence, metric.column)),
                    objections,
                )
                for metric in METRICS
            ),
        )


def _arrivals(cells: pd.DataFrame, burstiness: float) -> str:
    cv = cells.loc[cells["burstiness"] == burstiness, "cv"].mean()
    return f"b={burstiness:g} (CV {cv:.3g})"


def _finding(
    metric: Metric, contrast: Contrast, correction: Correction | None, objections: tuple[str, ...]
) -> Finding:
    change = _change(metric, contrast.steady(metric.column), contrast.bursty(metric.column))
    verdict = _verdict(change, correction)
    if objections and verdict in (FELL, ROSE):
        verdict = CONFOUNDED
    remark = _remark(verdict, change, correction)
    return Finding(
        metric,
        verdict,
        _sentence(metric, change, verdict, contrast.evidence, objections, remark),
        "–" if change is None else change.text(),
        "" if change is None else _levels(metric, change),
        "" if change is None or change.told is None else f"({change.bounds()})",
        remark,
    )


@dataclass(frozen=True, slots=True)
class _Change:
    """Means over the shared seeds, and the change between them: of shares in points, of times in percent, as the ledger
    of claims takes them (`statistics/relative_change.py`). `told` is None where one pair shows no spread."""

    before: float
    after: float
    estimate: float
    told: Interval | None
    unit: str

    def text(self) -> str:
        """The change with its unit."""
        return signed(self.estimate) + self.unit

    def bounds(self) -> str:
        """The ends of its interval."""
        return "" if self.told is None else f"{signed(self.told.low)} to {signed(self.told.high)}{self.unit}"


def _change(metric: Metric, before: Mapping[int, float], after: Mapping[int, float]) -> _Change | None:
    old, new = paired_values(before, after)
    if not len(old):
        return None
    levels = metric.scale * float(old.mean()), metric.scale * float(new.mean())
    if metric.unit == "points":
        told = scaled(mean_interval(new - old), metric.scale)
        return _Change(*levels, levels[1] - levels[0], told, " points")
    told = scaled(relative_change(before, after), 100)
    return _Change(*levels, told.estimate if told else 100 * (levels[1] / levels[0] - 1), told, "%")


def _verdict(change: _Change | None, correction: Correction | None) -> str:
    if change is None or change.told is None or change.told.units < LEAST_PAIRS or correction is None:
        return NO_VERDICT
    if correction.adjusted_p > FALSE_DISCOVERIES:
        return UNTOLD
    return FELL if change.estimate < 0 else ROSE


def _remark(verdict: str, change: _Change | None, correction: Correction | None) -> str:
    if verdict != UNTOLD or change is None or change.told is None or correction is None:
        return ""
    return excludes_zero_in_vain(correction.comparisons) if change.told.outside(0, 0) else ""


def _levels(metric: Metric, change: _Change) -> str:
    unit = "%" if metric.unit == "points" else f" {metric.unit}"
    return f"{quantity(change.before)} → {quantity(change.after)}{unit}"


def _sentence(
    metric: Metric,
    change: _Change | None,
    verdict: str,
    evidence: str,
    objections: tuple[str, ...],
    remark: str,
) -> str:
    what = metric.label[0].upper() + metric.label[1:]
    if change is None:
        return f"{what}: no verdict, for no seed was counted at both."
    levels = "from " + _levels(metric, change).replace("→", "to")
    if change.told is None:
        went = f"{what} went {levels} ({change.text()}) with one {evidence} seed"
        return f"{went}: no verdict, for one pair shows no spread."
    seeds = count(change.told.units, "paired seed")
    numbers = f"{levels} ({change.text()}; 95% interval {change.bounds()}; {seeds}, {evidence})"
    if verdict == NO_VERDICT:
        return f"{what} went {numbers}: no verdict, for fewer than {LEAST_PAIRS} pairs show too little of the spread."
    if verdict == CONFOUNDED:
        return f"{what} went {numbers}: no finding, for not only the bursts were different: {'; '.join(objections)}."
    if remark:
        return f"{what} went {numbers}: {remark}."
    if verdict == UNTOLD:
        return f"{what} went {numbers}: the interval contains 0, so the data do not tell whether it changed."
    return f"{what} {verdict} {numbers}."
