"""Figure 5: attention time for each decode token and for each iteration, decode-only against mixed."""

from typing import TYPE_CHECKING

import pandas as pd

from burstlab.figures import profiled_runs, style
from burstlab.figures.registry import Group
from burstlab.figures.tables import IDENTITY, Tables
from burstlab.iterations.log import DECODE_ONLY, MIXED

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PART = "attention"
_COSTS = {DECODE_ONLY: "decode_only_us", MIXED: "mixed_us"}
_PANELS = {"token": "Attention for each decode token (ms)", "iteration": "Attention for each iteration (ms)"}

note = profiled_runs.note


def data(tables: Tables, group: Group) -> pd.DataFrame:
    """A row a run and what costs are counted by: both costs in µs, and the index with its interval."""
    rows = tables.runs("interference", group)
    rows = rows[rows["part"] == PART]  # a run without both kinds of iteration has none
    columns = [*IDENTITY, "per", "decode_only_us", "mixed_us", "index", "low", "high", "why"]
    return rows[columns].sort_values(["per", "rate", "cv", "seed"], kind="stable", ignore_index=True)


def draw(frame: pd.DataFrame) -> "Figure":
    """Two panels; a pair of bars for each kind of arrivals, a point a run."""
    figure, axes = style.panels(1, 2, 9.0, 4.2)
    for panel, (per, label) in zip(axes[0], _PANELS.items(), strict=True):
        _pairs(panel, profiled_runs.that_count(frame[frame["per"] == per]))
        if panel.axison:
            panel.set_ylabel(label)
    handles, labels = axes[0, 0].get_legend_handles_labels()
    if handles:
        figure.legend(handles, labels, loc="outside lower center", ncols=2)
    return figure


def _pairs(axes: "Axes", frame: pd.DataFrame) -> None:
    if frame.empty:
        style.say(axes, "Nothing to draw: no profiled run of this group has both kinds of iteration.")
        return
    found = profiled_runs.arrivals(frame)
    colours = style.rate_colours([0.0, 1.0])
    for place, (_, rows) in enumerate(found):
        for side, (kind, column) in enumerate(_COSTS.items()):
            x = place + (side - 0.5) * 0.36
            values_ms = rows[column] / 1000
            label = kind if place == 0 else None
            axes.bar(
                x,
                values_ms.mean(),
                0.32,
                color=colours[float(side)],
                alpha=0.55,
                label=label,
                hatch="/" * (2 * side),
            )
            axes.plot([x] * len(values_ms), values_ms, "o", ms=4, color=style.INK, alpha=0.7)
        top_ms = float(rows[list(_COSTS.values())].max().max()) / 1000
        axes.annotate(
            index_text(rows),
            (place, top_ms),
            xytext=(0, 5),
            textcoords="offset points",
            ha="center",
            fontsize=8,
        )
    axes.set_xticks(range(len(found)), [label for label, _ in found])
    axes.margins(y=0.18)
    axes.set_ylim(bottom=0)


def index_text(rows: pd.DataFrame) -> str:
    """The ratio with its interval where one run is shown, else the range of the runs'."""
    known = rows[rows["index"].notna()]
    if known.empty:
        return "no interval"
    if len(known) == 1:
        row = known.iloc[0]
        return f"× {row['index']:.2g}\n({row['low']:.2g} to {row['high']:.2g})"
    least, most = (f"{end:.2g}" for end in (known["index"].min(), known["index"].max()))
    span = least if least == most else f"{least} to {most}"
    return f"× {span}\n({len(known)} runs)"
