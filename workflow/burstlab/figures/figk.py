"""Figure K: the mean time of an iteration, by what it went to, for each kind of iteration."""

from typing import TYPE_CHECKING

import pandas as pd

from burstlab.figures import profiled_runs, style
from burstlab.figures.grouping import rows_by
from burstlab.figures.registry import Group
from burstlab.figures.tables import IDENTITY, Tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

note = profiled_runs.note


def data(tables: Tables, group: Group) -> pd.DataFrame:
    """A row a run, kind of iteration and part: the part's mean time in an iteration of that kind, in ms."""
    rows = tables.runs("breakdown", group)
    rows = rows.assign(mean_ms=rows["time_us"] / rows["iterations"] / 1000)
    columns = [
        *IDENTITY,
        "kind",
        "part",
        "mean_ms",
        "iterations",
        "context_tokens",
        "generation_tokens",
    ]
    return rows[columns].sort_values(["kind", "rate", "cv", "seed"], kind="stable", ignore_index=True)


def draw(frame: pd.DataFrame) -> "Figure":
    """A panel for each kind of iteration, a stack for each kind of arrivals; means over runs."""
    frame = profiled_runs.that_count(frame)
    kinds = sorted(frame["kind"].unique())
    figure, axes = style.panels(1, max(len(kinds), 1), 3.2 * max(len(kinds), 2) + 1.5, 4.4)
    if not kinds:
        style.say(axes[0, 0], "Nothing to draw: this group has no profiled run.")
        return figure
    parts = list(dict.fromkeys(frame["part"]))
    colours = dict(zip(parts, style.rate_colours(list(range(len(parts)))).values(), strict=True))
    for panel, kind in zip(axes[0], kinds, strict=True):
        found = profiled_runs.arrivals(frame[frame["kind"] == kind])
        for place, (_, rows) in enumerate(found):
            bottom = 0.0
            runs = rows["cell"].nunique()
            means = {part: some["mean_ms"].sum() / runs for (part,), some in rows_by(rows, ["part"])}
            for part in parts:
                height = means.get(part, 0.0)
                panel.bar(
                    place, height, 0.6, bottom=bottom, color=colours[part], edgecolor="white", label=part
                )
                bottom += height
        panel.set_xticks(range(len(found)), [label for label, _ in found])
        panel.set_title(kind)
    axes[0, 0].set_ylabel("Mean time of an iteration (ms)")
    handles, labels = axes[0, 0].get_legend_handles_labels()
    shown = dict(zip(labels, handles, strict=True))
    figure.legend(shown.values(), shown.keys(), loc="outside lower center", ncols=min(len(shown), 6))
    return figure
