"""Figure B5: the token interval expected from the kinds of iteration, against the TPOT of requests."""

from typing import TYPE_CHECKING, Any

import pandas as pd

from burstlab.figures import style
from burstlab.figures.by_cv import why_empty
from burstlab.figures.grouping import rows_by
from burstlab.figures.registry import Group
from burstlab.figures.tables import IDENTITY, Tables
from burstlab.wording import count

if TYPE_CHECKING:
    from matplotlib.figure import Figure

VALUES = ["expected_interval_ms", "mean_tpot_ms"]
COLUMNS = [*IDENTITY, *VALUES]


def data(tables: Tables, group: Group) -> pd.DataFrame:
    """A row a cell; both values in ms, null where the cell has none."""
    cells = tables.paced(group)[COLUMNS]
    return cells.astype(dict.fromkeys(VALUES, float))


def draw(frame: pd.DataFrame) -> "Figure":
    """One square panel with the line on which both agree; arrivals differ in shade, rates in marker."""
    import seaborn

    figure, axes = style.panels(1, 1, 7.4, 4.6)
    panel = axes[0, 0]
    points = frame.dropna(subset=VALUES)
    if points.empty:
        style.say(panel, why_empty(frame))
        return figure
    top = float(points[VALUES].max().max()) * 1.08
    seaborn.lineplot(
        x=[0, top], y=[0, top], ax=panel, color=style.FAINT, linestyle="--", linewidth=1.2, label="equal"
    )
    markers = style.rate_markers(list(frame["rate"].unique()))
    order = frame[["arrivals", "cv", "burstiness"]].sort_values("cv")
    named = [
        _name(arrivals, burstiness)
        for arrivals, burstiness in zip(order["arrivals"], order["burstiness"], strict=True)
    ]
    colours = style.arrival_colours(list(dict.fromkeys(named)))
    for (rate, evidence, counted), some in rows_by(points, ["rate", "evidence", "counted"]):
        names = [
            _name(arrivals, burstiness)
            for arrivals, burstiness in zip(some["arrivals"], some["burstiness"], strict=True)
        ]
        for name in sorted(set(names), key=list(colours).index):
            rows = some[[other == name for other in names]]
            look: dict[str, Any] = (
                {"marker": markers[rate], "ms": 6, **style.marker_style(colours[name], evidence)}
                if counted
                else {"marker": "x", "ms": 7, "mew": 1.4, "color": colours[name]}
            )
            label = f"{style.number(rate)} req/s, {name}, {evidence}" + ("" if counted else ", excluded")
            panel.plot(
                rows["expected_interval_ms"], rows["mean_tpot_ms"], ls="", alpha=0.85, label=label, **look
            )
    panel.set(xlim=(0, top), ylim=(0, top), aspect="equal")
    panel.set_xlabel("Expected from iteration kinds (ms)")
    panel.set_ylabel("Mean TPOT of requests (ms)")
    panel.get_legend().remove()
    figure.legend(loc="outside right center")
    return figure


def _name(arrivals: str, burstiness: float) -> str:
    return f"b={style.number(burstiness)}" if arrivals == "gamma" else str(arrivals).removeprefix("trace:")


def note(frame: pd.DataFrame) -> str:
    """How far apart the two are."""
    points = frame.dropna(subset=VALUES)
    counted = points[points["counted"].astype(bool)]
    text = f"Both values are known of {len(points)} of {count(len(frame), 'cell')}."
    if len(counted):
        ratio = (counted["mean_tpot_ms"] / counted["expected_interval_ms"]).median()
        text += f" Median of TPOT over expected: {ratio:.2f}."
    excluded = len(points) - len(counted)
    if excluded:
        text += f" {excluded} excluded by a validity gate: crosses."
    return text
