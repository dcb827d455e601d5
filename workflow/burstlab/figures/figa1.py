"""Figure A1: iteration time against decode and prefill tokens, with the linear fit."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from burstlab.figures import linear_fit, style
from burstlab.figures.grouping import rows_by
from burstlab.figures.registry import Group
from burstlab.figures.tables import Tables
from burstlab.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

POINTS_PER_KIND = 250
KINDS = {"decode-only": ("#0173b2", "o"), "mixed": ("#d55e00", "s"), "prefill-only": ("#029e73", "^")}
# Not a, b, c: b is the burstiness of arrivals.
TERMS = {"constant": "a", "generation_tokens": "d", "context_tokens": "p"}
UNITS = {"a": "ms", "d": "ms/token", "p": "ms/token"}
POINT = [
    "cell",
    "evidence",
    "counted",
    "iteration",
    "kind",
    "generation_tokens",
    "context_tokens",
    "elapsed_ms",
    "fitted_ms",
]
COLUMNS = [
    "mark",
    *POINT,
    "term",
    "estimate",
    "low",
    "high",
    "r_squared",
    "fitted_iterations",
    "fitted_cells",
    "all_iterations",
]


def data(tables: Tables, group: Group) -> pd.DataFrame:
    """Rows of the three coefficients (mark `coefficient`) and of the points (mark `point`).

    The fit uses every iteration of the counted cells; of each kind at most 250 are drawn, spaced evenly
    in the order of their elapsed time, so that the slowest and fastest are among them.
    """
    cells = tables.paced(group)
    if cells.empty:
        return pd.DataFrame(columns=COLUMNS)
    columns = ["iteration", "kind", "generation_tokens", "context_tokens", "elapsed_ms"]
    rows = tables.rows("iterations", list(cells["cell"]), columns)
    rows = rows.merge(cells[["cell", "evidence", "counted"]], on="cell", validate="many_to_one")
    counted = rows[rows["counted"]]
    found = linear_fit.fit(counted)
    points = _thinned(rows).assign(mark="point", all_iterations=len(rows))
    parts = [points]
    if found is not None:
        points["fitted_ms"] = linear_fit.design(points) @ np.array(found.coefficients)
        parts.insert(0, _coefficients(found))
    frame = pd.concat(parts, ignore_index=True).reindex(columns=COLUMNS)
    whole = [
        "iteration",
        "generation_tokens",
        "context_tokens",
        "fitted_iterations",
        "fitted_cells",
        "all_iterations",
    ]
    return frame.astype(dict.fromkeys(whole, "Int64"))


def _thinned(rows: pd.DataFrame) -> pd.DataFrame:
    parts = []
    for _, some in rows.groupby(["kind", "counted"], sort=True):
        ordered = some.sort_values(["elapsed_ms", "cell", "iteration"], kind="stable")
        keep = np.unique(
            np.linspace(0, len(ordered) - 1, min(POINTS_PER_KIND, len(ordered))).round().astype(int)
        )
        parts.append(ordered.iloc[keep])
    chosen = pd.concat(parts) if parts else rows
    return chosen.sort_values(["kind", "cell", "iteration"], kind="stable")


def _coefficients(found: linear_fit.LinearFit) -> pd.DataFrame:
    count = len(TERMS)
    return pd.DataFrame(
        {
            "mark": "coefficient",
            "term": list(TERMS),
            "estimate": found.coefficients,
            "low": found.low or [None] * count,
            "high": found.high or [None] * count,
            "r_squared": found.r_squared,
            "fitted_iterations": found.iterations,
            "fitted_cells": found.cells,
        }
    )


def draw(frame: pd.DataFrame) -> "Figure":
    """Three panels: against generation tokens, against context tokens, and fitted against measured."""
    points = frame[frame["mark"] == "point"]
    if points.empty:
        figure, axes = style.panels(1, 1, 7.0, 3.0)
        style.say(axes[0, 0], note(frame))
        return figure
    figure, axes = style.panels(1, 3, 11.0, 4.6)
    terms = frame[frame["mark"] == "coefficient"].set_index("term")
    for panel, tokens, label in zip(
        axes[0],
        ("generation_tokens", "context_tokens"),
        ("Generation (decode)", "Context (prefill)"),
        strict=False,
    ):
        _scatter(panel, points, tokens, "elapsed_ms")
        panel.set_xlabel(f"{label} tokens in the iteration")
        panel.set_ylabel("Iteration time (ms)")
        top = points["elapsed_ms"].max() * 1.05
        if len(terms):
            x = np.array([0, points[tokens].max()], dtype=float)
            panel.plot(
                x,
                terms["estimate"]["constant"] + terms["estimate"][tokens] * x,
                color=style.INK,
                lw=1.6,
                ls="-.",
            )
            panel.set_title(_slope(terms, tokens), fontsize=9)
        panel.set_ylim(0, top)
    _draw_fitted(axes[0, 2], points, terms)
    _legend(figure, points)
    return figure


def _scatter(axes: "Axes", points: pd.DataFrame, x: str, y: str) -> None:
    for kind, (colour, marker) in KINDS.items():
        for (evidence, counted), some in rows_by(points[points["kind"] == kind], ["evidence", "counted"]):
            look: dict[str, Any] = {"ms": 3.5, "alpha": 0.6, "mew": 0.8, "ls": ""}
            if counted:
                axes.plot(
                    some[x].astype(float),
                    some[y],
                    marker=marker,
                    **look,
                    **style.marker_style(colour, evidence),
                )
            else:
                axes.plot(some[x].astype(float), some[y], marker="x", color=colour, **look)


def _draw_fitted(axes: "Axes", points: pd.DataFrame, terms: pd.DataFrame) -> None:
    if terms.empty:
        style.say(axes, "No fit: the iterations do not determine the three coefficients.")
        return
    _scatter(axes, points, "fitted_ms", "elapsed_ms")
    top = points["elapsed_ms"].max() * 1.05
    axes.plot([0, top], [0, top], color=style.FAINT, ls="--", lw=1)
    axes.set_xlim(min(0, points["fitted_ms"].min() * 1.05), max(top, points["fitted_ms"].max() * 1.05))
    axes.set_ylim(0, top)
    axes.set_xlabel("Fitted iteration time (ms)")
    evidence = set(points["evidence"])
    axes.set_ylabel(
        f"{evidence.pop().capitalize()} iteration time (ms)" if len(evidence) == 1 else "Iteration time (ms)"
    )
    r_squared = terms["r_squared"].iloc[0]
    axes.set_title("R² undefined" if pd.isna(r_squared) else f"R² = {r_squared:.3f}", fontsize=9)


def _slope(terms: pd.DataFrame, term: str) -> str:
    symbol, row = TERMS[term], terms.loc[term].to_dict()
    interval = "no interval" if pd.isna(row["low"]) else f"95%: {row['low']:.3g} to {row['high']:.3g}"
    return f"{symbol} = {row['estimate']:.3g} {UNITS[symbol]} ({interval})"


def _legend(figure: "Figure", points: pd.DataFrame) -> None:
    from matplotlib.lines import Line2D

    handles = []
    for (kind, evidence), _ in rows_by(points, ["kind", "evidence"]):
        colour, marker = KINDS.get(kind, (style.INK, "o"))
        fill = style.marker_style(colour, evidence)
        handles.append(Line2D([], [], marker=marker, ls="", label=f"{kind}, {evidence}", **fill))
    handles.append(Line2D([], [], color=style.INK, ls="-.", label="fit"))
    if not points["counted"].astype(bool).all():
        handles.append(Line2D([], [], color=style.INK, marker="x", ls="", label="excluded cell (not fitted)"))
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 5))


def note(frame: pd.DataFrame) -> str:
    """The coefficients with their intervals, and how many points are drawn of how many."""
    points = frame[frame["mark"] == "point"]
    if points.empty:
        return "Nothing to draw: no engine iteration was logged for these cells."
    total = int(points["all_iterations"].iloc[0])
    shown = f"Drawn: {len(points):,} of {count(total, 'iteration')}, evenly thinned by elapsed time within each kind."
    terms = frame[frame["mark"] == "coefficient"].set_index("term")
    if terms.empty:
        return f"{shown} No fit: the iterations of counted cells do not determine the coefficients."
    first = terms.iloc[0]
    fitted = "; ".join(_slope(terms, term) for term in TERMS)
    r_squared = "undefined" if pd.isna(first["r_squared"]) else f"{first['r_squared']:.3f}"
    how = (
        f"Intervals: bootstrap over {count(int(first['fitted_cells']), 'cell')}, "
        "as iterations within a run depend on each other."
        if pd.notna(first["low"])
        else "One cell, so no interval."
    )
    return (
        f"{fitted}; R² {r_squared} over {count(int(first['fitted_iterations']), 'iteration')}. {how} {shown}"
    )
