"""What the data say of bursts, in sentences: paired changes from the steadiest to the burstiest arrivals.

The rules are the ledger's: a comparison of which a gate says that not only bursts were different gives no finding, nor do
fewer than `LEAST_PAIRS` pairs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import pandas as pd

from burstlab.statistics.interval import Interval, scaled
from burstlab.statistics.pairing import LEAST_PAIRS, paired_values
from burstlab.statistics.relative_change import relative_change
from burstlab.statistics.student import mean_interval
from burstlab.validity.compare import confounds, judge_arms
from burstlab.validity.conditions import distinct
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
    """One metric's change; `verdict` is one of the five words above."""

    metric: Metric
    verdict: str
    sentence: str
    short: str
    size: str
    interval: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """The findings of one rate and evidence."""

    rate: str
    load: float | None
    steady: str
    bursty: str
    evidence: str
    findings: tuple[Finding, ...]


def comparisons(cells: pd.DataFrame) -> Iterator[Comparison]:
    """One comparison for each rate and evidence of a group's counted cells that has two burstinesses."""
    gamma = cells[(cells["arrivals"] == "gamma") & cells["counted"] & (cells["rate"] < float("inf"))]
    for (at_rate, evidence), some in gamma.groupby(["rate", "evidence"], sort=True):
        steady, bursty = some["burstiness"].max(), some["burstiness"].min()
        if steady == bursty:
            continue
        load = some["load"].astype(float).dropna()
        objections = confounds(judge_arms(distinct(some)))
        yield Comparison(
            rate=rate(float(str(at_rate))),
            load=float(load.mean()) if len(load) else None,
            steady=_arrivals(some, steady),
            bursty=_arrivals(some, bursty),
            evidence=str(evidence),
            findings=tuple(
                _finding(metric, some, str(evidence), steady, bursty, objections) for metric in METRICS
            ),
        )


def _arrivals(cells: pd.DataFrame, burstiness: float) -> str:
    cv = cells.loc[cells["burstiness"] == burstiness, "cv"].mean()
    return f"b={burstiness:g} (CV {cv:.3g})"


def _finding(
    metric: Metric,
    cells: pd.DataFrame,
    evidence: str,
    steady: float,
    bursty: float,
    objections: tuple[str, ...],
) -> Finding:
    change = _change(metric, _by_seed(cells, metric, steady), _by_seed(cells, metric, bursty))
    verdict = _verdict(change)
    if objections and verdict in (FELL, ROSE):
        verdict = CONFOUNDED
    return Finding(
        metric,
        verdict,
        _sentence(metric, change, verdict, evidence, objections),
        "–" if change is None else change.text(),
        "" if change is None else _levels(metric, change),
        "" if change is None or change.told is None else f"({change.bounds()})",
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
    levels = float(old.mean()), float(new.mean())
    if metric.unit == "points":
        told = mean_interval(new - old)
        return _Change(*levels, levels[1] - levels[0], told, " points")
    told = scaled(relative_change(before, after), 100)
    return _Change(*levels, told.estimate if told else 100 * (levels[1] / levels[0] - 1), told, "%")


def _by_seed(cells: pd.DataFrame, metric: Metric, burstiness: float) -> dict[int, float]:
    rows = cells[cells["burstiness"] == burstiness]
    values = rows[metric.column].astype(float) * metric.scale
    return {int(seed): float(value) for seed, value in zip(rows["seed"], values, strict=True)}


def _verdict(change: _Change | None) -> str:
    if change is None or change.told is None or change.told.units < LEAST_PAIRS:
        return NO_VERDICT
    if not change.told.outside(0, 0):
        return UNTOLD
    return FELL if change.estimate < 0 else ROSE


def _levels(metric: Metric, change: _Change) -> str:
    unit = "%" if metric.unit == "points" else f" {metric.unit}"
    return f"{quantity(change.before)} → {quantity(change.after)}{unit}"


def _sentence(
    metric: Metric, change: _Change | None, verdict: str, evidence: str, objections: tuple[str, ...]
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
    if verdict == UNTOLD:
        return f"{what} went {numbers}: the interval contains 0, so the data do not tell whether it changed."
    return f"{what} {verdict} {numbers}."
