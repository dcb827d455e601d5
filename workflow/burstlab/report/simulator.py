"""How wrong the simulator is: its errors on measured cells that it was not fitted to, for the page."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from burstlab.report.embed import download_address
from burstlab.simulator.validation.errors_table import NAME
from burstlab.simulator.validation.goals import COMPARED, LOADS, Compared
from burstlab.simulator.validation.split import WAYS
from burstlab.statistics.median import median_interval
from burstlab.wording import quantity

_WORST_SHOWN = 10
_LABELS = {
    "median_ttft_ms": "median TTFT",
    "mean_ttft_ms": "mean TTFT",
    "p99_ttft_ms": "p99 TTFT",
    "median_tpot_ms": "median TPOT",
    "mean_tpot_ms": "mean TPOT",
    "p99_tpot_ms": "p99 TPOT",
    "median_e2el_ms": "median E2EL",
    "mean_e2el_ms": "mean E2EL",
    "p99_e2el_ms": "p99 E2EL",
    "decode_only_token_share": "decode-only share",
}


@dataclass(frozen=True, slots=True)
class Line:
    """The errors of one metric over the predicted cells of one model and split, as text."""

    metric: str
    bias: str
    size: str
    interval: str
    largest: str
    at_own_speed: str
    goal: str
    within: int | None
    asked: int


@dataclass(frozen=True, slots=True)
class Part:
    """One model and split: of how many cells, and the lines of metrics with a goal and of the others."""

    platform: str
    model: str
    engine: str
    split: str
    cells: int
    speeds: str
    goals: tuple[Line, ...]
    others: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class Worst:
    """A cell that was predicted badly."""

    cell: str
    split: str
    metric: str
    measured: str
    simulated: str
    error: str
    at_own_speed: str


def gather(tables: Path, page_folder: Path) -> dict[str, Any] | None:
    """What the template shows, from `validation.parquet`; None where there is none yet.

    `parts` are the models and splits, `right` and `wrong` the metrics whose goal most or fewer than half of the cells meet.
    """
    path = tables / f"{NAME}.parquet"
    if not path.is_file():
        return None
    frame = pd.read_parquet(path)
    parts = tuple(_parts(frame))
    return {
        "parts": parts,
        "cells": frame["cell"].nunique(),
        "loads": LOADS,
        "right": tuple(_sentences(frame, most=True)),
        "wrong": tuple(_sentences(frame, most=False)),
        "worst": tuple(_worst(frame)),
        "csv": download_address(path.with_suffix(".csv"), page_folder),
    }


def _parts(frame: pd.DataFrame) -> Iterator[Part]:
    for (platform, model, engine), of_engine in frame.groupby(["platform", "model", "engine"], sort=True):
        for way in WAYS:
            some = of_engine[of_engine["split"] == way]
            if len(some):
                lines = [(one, _line(one, some[some["metric"] == one.metric])) for one in COMPARED]
                yield Part(
                    platform=str(platform),
                    model=str(model),
                    engine=str(engine),
                    split=way,
                    cells=some["cell"].nunique(),
                    speeds=_speeds(some.drop_duplicates("cell")["own_speed"]),
                    goals=tuple(line for one, line in lines if one.goal is not None and line),
                    others=tuple(line for one, line in lines if one.goal is None and line),
                )


def _speeds(speeds: "pd.Series[float]") -> str:
    low, high = np.percentile(speeds, [10, 90])
    return f"{low:.2f} to {high:.2f}"


def _line(one: Compared, rows: pd.DataFrame) -> Line | None:
    if rows.empty:
        return None
    sizes = rows["error"].abs()
    interval = median_interval(sizes.to_numpy())
    asked = rows["within_goal"].dropna()
    return Line(
        metric=_LABELS[one.metric],
        bias=_signed(one, float(rows["error"].median())),
        size=_size(one, float(sizes.median())),
        interval="–" if interval is None else f"{interval.low * 100:.1f} to {_size(one, interval.high)}",
        largest=_size(one, float(sizes.max())),
        at_own_speed=_size(one, float(rows["error_at_own_speed"].abs().median())),
        goal="" if one.goal is None else _size(one, one.goal),
        within=int(asked.sum()) if len(asked) else None,
        asked=len(asked),
    )


def _sentences(frame: pd.DataFrame, *, most: bool) -> Iterator[str]:
    """One for each model, split and metric with a goal that at least half of the cells meet, or fewer, as `most` asks."""
    asked = frame[frame["within_goal"].notna()]
    for (model, way, metric), rows in asked.groupby(["model", "split", "metric"], sort=True):
        met = int(rows["within_goal"].sum())
        if (2 * met >= len(rows)) is most:
            one = _compared(str(metric))
            yield (
                f"{model}, {way}, {_LABELS[one.metric]}: within {_size(one, one.goal or 0)} in {met} of {len(rows)} cells, "
                f"typically off by {_size(one, float(rows['error'].abs().median()))}"
            )


def _worst(frame: pd.DataFrame) -> Iterator[Worst]:
    """The largest errors of the metrics with a goal, a cell once."""
    goals = frame[frame["goal"].notna()]
    over = (goals["error"].abs() / goals["goal"]).sort_values(ascending=False, kind="stable")
    for row in goals.loc[over.index].drop_duplicates("cell").head(_WORST_SHOWN).to_dict("records"):
        one = _compared(row["metric"])
        yield Worst(
            cell=row["cell"],
            split=row["split"],
            metric=_LABELS[one.metric],
            measured=quantity(row["measured"], row["unit"]),
            simulated=quantity(row["simulated"], row["unit"]),
            error=_signed(one, row["error"]),
            at_own_speed=_signed(one, row["error_at_own_speed"]),
        )


def _compared(metric: str) -> Compared:
    return next(one for one in COMPARED if one.metric == metric)


def _size(one: Compared, value: float) -> str:
    return f"{value * 100:.1f}{' points' if one.share else '%'}"


def _signed(one: Compared, value: float) -> str:
    text = _size(one, abs(value))
    return text if float(text.split("%")[0].split(" ")[0]) == 0 else f"{'+' if value > 0 else '−'}{text}"
