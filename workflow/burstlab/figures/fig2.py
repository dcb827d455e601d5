"""Figure 2: how the time per output token is distributed over requests."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from burstlab.figures import style
from burstlab.figures.conditions import label, ordered_conditions, with_condition
from burstlab.figures.grouping import rows_by
from burstlab.figures.registry import Group
from burstlab.figures.tables import Tables
from burstlab.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

QUANTILES = 201
BINS = 40
VISIBLE = 0.995
KEYS = ["rate", "condition", "evidence", "counted"]
COLUMNS = ["mark", *KEYS, "cv", "cells", "requests", "tpot_ms", "width_ms", "share"]


def data(tables: Tables, group: Group) -> pd.DataFrame:
    """Points of cumulative curves (mark `cumulative`) and bins (mark `bin`, left edge and width in ms).

    Requests are pooled over the seeds of a rate, condition and evidence; excluded cells make their own.
    A condition without a single TPOT has one row of mark `none`.
    """
    cells = with_condition(tables.paced(group))
    if cells.empty:
        return pd.DataFrame(columns=COLUMNS)
    requests = tables.rows("requests", list(cells["cell"]), ["tpot_ms"])
    values = {str(cell): some["tpot_ms"].dropna().to_numpy(float) for cell, some in requests.groupby("cell")}
    rows: list[dict[str, object]] = []
    for _, at_rate in rows_by(cells, ["rate"]):
        pooled = np.concatenate([values.get(cell, np.empty(0)) for cell in at_rate["cell"]])
        edges = np.linspace(0, np.quantile(pooled, VISIBLE) or 1.0, BINS + 1) if len(pooled) else np.empty(0)
        for keys, some in rows_by(at_rate, KEYS):
            tpot = np.sort(np.concatenate([values.get(cell, np.empty(0)) for cell in some["cell"]]))
            base = dict(zip(KEYS, keys, strict=True))
            base |= {"cv": some["cv"].mean(), "cells": len(some), "requests": len(tpot)}
            rows += _rows(base, tpot, edges)
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame.sort_values(
        ["rate", "cv", *KEYS[1:], "mark", "tpot_ms", "share"], kind="stable", ignore_index=True
    )


def _rows(base: dict[str, object], tpot_ms: np.ndarray, edges: np.ndarray) -> list[dict[str, object]]:
    if not len(tpot_ms):
        return [{**base, "mark": "none"}]
    shares = np.linspace(0, 1, min(QUANTILES, len(tpot_ms) + 1))[1:]
    points = np.quantile(tpot_ms, shares, method="inverted_cdf")
    counts, _ = np.histogram(tpot_ms, edges)
    curve: list[dict[str, object]] = [
        {**base, "mark": "cumulative", "tpot_ms": x, "share": y} for x, y in zip(points, shares, strict=True)
    ]
    bins: list[dict[str, object]] = [
        {**base, "mark": "bin", "tpot_ms": left, "width_ms": right - left, "share": count / len(tpot_ms)}
        for left, right, count in zip(edges[:-1], edges[1:], counts, strict=True)
    ]
    return curve + bins


def draw(frame: pd.DataFrame) -> "Figure":
    """A row of two panels (cumulative, histogram) for each rate."""
    rates = sorted(frame["rate"].unique())
    if not rates:
        figure, axes = style.panels(1, 1, 7.0, 3.0)
        style.say(axes[0, 0], "Nothing to draw: this group has no cell with a finite request rate.")
        return figure
    figure, axes = style.panels(len(rates), 2, 10.5, 0.9 + 3.2 * len(rates))
    colours = style.arrival_colours(ordered_conditions(frame))
    for row, rate in zip(axes, rates, strict=True):
        _draw_rate(row[0], row[1], frame[frame["rate"] == rate], colours)
        if row[0].axison:
            row[0].set_title(_title(frame[frame["rate"] == rate], rate), fontsize=9)
    return figure


def _title(frame: pd.DataFrame, rate: float) -> str:
    """The rate, and how much is behind a curve."""
    curves = frame[frame["mark"] == "cumulative"].drop_duplicates(KEYS)
    low, high = int(curves["requests"].min()), int(curves["requests"].max())
    requests = count(low, "request") if low == high else f"{low:,} to {count(high, 'request')}"
    return f"{style.number(rate)} req/s; a curve: {requests}, {style.seeds_text(list(curves['cells']))}"


def _draw_rate(cumulative: "Axes", histogram: "Axes", frame: pd.DataFrame, colours: dict[str, Any]) -> None:
    drawn = frame[frame["mark"] != "none"]
    if drawn.empty:
        style.say(
            cumulative,
            f"Nothing to draw at {style.number(frame['rate'].iloc[0])} req/s: no request has a TPOT.",
        )
        histogram.set_axis_off()
        return
    for condition in ordered_conditions(drawn):
        for (evidence, counted), some in rows_by(
            drawn[drawn["condition"] == condition], ["evidence", "counted"]
        ):
            line = style.line_style(evidence) if counted else ":"
            name = label(condition, some["cv"].iloc[0]) + f", {evidence}" + ("" if counted else ", excluded")
            options: dict[str, Any] = {"color": colours[condition], "ls": line, "lw": 1.8 if counted else 1.2}
            curve, bins = some[some["mark"] == "cumulative"], some[some["mark"] == "bin"]
            cumulative.step(curve["tpot_ms"], curve["share"] * 100, where="post", label=name, **options)
            edges = [*bins["tpot_ms"], bins["tpot_ms"].iloc[-1] + bins["width_ms"].iloc[-1]]
            histogram.stairs(bins["share"] * 100, edges, **options)
    ends = drawn["tpot_ms"] + drawn["width_ms"]
    for panel in (cumulative, histogram):
        panel.set_xlim(0, float(ends.max()) * 1.02)
        panel.set_ylim(bottom=0)
        panel.set_xlabel("TPOT (ms)")
    cumulative.set_ylabel("Requests at or below (%)")
    histogram.set_ylabel("Requests in the bin (%)")
    cumulative.legend(loc="lower right")


def note(frame: pd.DataFrame) -> str:
    """How many requests there are and what is cut off."""
    if frame.empty or (frame["mark"] == "none").all():
        return "No request has a TPOT."
    curves = frame[frame["mark"] != "none"].drop_duplicates(KEYS)
    text = (
        f"{count(int(curves['requests'].sum()), 'request')} of {count(int(curves['cells'].sum()), 'cell')}; "
        f"curves have at most {QUANTILES - 1} points "
        f"and the axis ends where {VISIBLE:.1%} of a rate's requests lie."
    )
    excluded = curves[~curves["counted"].astype(bool)]
    if len(excluded):
        text += f" Dotted: {count(int(excluded['cells'].sum()), 'cell')} excluded by a validity gate."
    return text
