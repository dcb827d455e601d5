"""What the data say of bursts, in sentences: paired changes from the steadiest to the burstiest arrivals."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from burstlab.report.wording import count, quantity, rate, signed
from burstlab.statistics.paired import PairedChange, paired_change

FELL, ROSE, UNTOLD, NO_VERDICT = "fell", "rose", "not told", "no verdict"


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
    """One metric's change; `verdict` is one of the four words above."""

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
        yield Comparison(
            rate=rate(float(str(at_rate))),
            load=float(load.mean()) if len(load) else None,
            steady=_arrivals(some, steady),
            bursty=_arrivals(some, bursty),
            evidence=str(evidence),
            findings=tuple(_finding(metric, some, str(evidence), steady, bursty) for metric in METRICS),
        )


def _arrivals(cells: pd.DataFrame, burstiness: float) -> str:
    cv = cells.loc[cells["burstiness"] == burstiness, "cv"].mean()
    return f"b={burstiness:g} (CV {cv:.3g})"


def _finding(metric: Metric, cells: pd.DataFrame, evidence: str, steady: float, bursty: float) -> Finding:
    change = paired_change(_by_seed(cells, metric, steady), _by_seed(cells, metric, bursty))
    verdict = _verdict(change)
    return Finding(
        metric,
        verdict,
        _sentence(metric, change, verdict, evidence),
        _short(metric, change),
        _size(metric, change),
        _interval(change),
    )


def _by_seed(cells: pd.DataFrame, metric: Metric, burstiness: float) -> dict[int, float]:
    rows = cells[cells["burstiness"] == burstiness]
    values = rows[metric.column].astype(float) * metric.scale
    return {int(seed): float(value) for seed, value in zip(rows["seed"], values, strict=True)}


def _verdict(change: PairedChange | None) -> str:
    if change is None or change.pairs < 2:
        return NO_VERDICT
    if not change.tells:
        return UNTOLD
    return FELL if change.change < 0 else ROSE


def _sentence(metric: Metric, change: PairedChange | None, verdict: str, evidence: str) -> str:
    what = metric.label[0].upper() + metric.label[1:]
    if change is None:
        return f"{what}: no verdict, for no seed was counted at both."
    level_unit = "%" if metric.unit == "points" else f" {metric.unit}"
    levels = f"from {quantity(change.before)} to {quantity(change.after)}{level_unit}"
    size = signed(change.change, metric.unit)
    if metric.unit != "points" and change.relative is not None:
        size += f", {signed(change.relative * 100)}%"
    if change.low is None or change.high is None:
        went = f"{what} went {levels} ({size}) with one {evidence} seed"
        return f"{went}: no verdict, for one pair shows no spread."
    interval = f"95% interval {signed(change.low)} to {signed(change.high, metric.unit)}"
    numbers = f"{levels} ({size}; {interval}; {count(change.pairs, 'paired seed')}, {evidence})"
    if verdict == UNTOLD:
        return f"{what} went {numbers}: the interval contains 0, so the data do not tell whether it changed."
    return f"{what} {verdict} {numbers}."


def _size(metric: Metric, change: PairedChange | None) -> str:
    """The change itself, where `short` tells it relative to the steady level."""
    if change is None or metric.unit == "points" or change.relative is None:
        return ""
    return signed(change.change, metric.unit)


def _interval(change: PairedChange | None) -> str:
    """The interval of the change, in the metric's unit; empty without one."""
    if change is None or change.low is None or change.high is None:
        return ""
    return f"({signed(change.low)} to {signed(change.high)})"


def _short(metric: Metric, change: PairedChange | None) -> str:
    if change is None:
        return "–"
    if metric.unit == "points" or change.relative is None:
        return signed(change.change, metric.unit)
    return f"{signed(change.relative * 100)}%"
