"""Figure V: errors of the simulator on measured cells that it was not fitted to."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from burstlab.figures import style
from burstlab.figures.grouping import rows_by
from burstlab.figures.tables import Tables
from burstlab.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TITLES = {
    "median_tpot_ms": "Median TPOT",
    "mean_e2el_ms": "Mean E2EL",
    "median_ttft_ms": "Median TTFT",
    "decode_only_token_share": "Decode-only share",
}
_SHARE = "decode_only_token_share"
COLUMNS = [
    "cell", "platform", "model", "engine", "workload", "rate", "arrivals", "burstiness", "cv", "seed", "load",
    "evidence", "held_against", "split", "metric", "measured", "simulated", "error", "error_at_own_speed", "goal",
]  # fmt: skip
# The height of a split's row, and how far its points may be from the middle of it.
_ROW_IN, _SPREAD = 0.42, 0.3


def data(tables: Tables) -> pd.DataFrame:
    """A row a predicted cell, split and metric that has a goal."""
    frame = tables.of_study("validation")
    return frame.loc[frame["metric"].isin(TITLES), COLUMNS].reset_index(drop=True)


def draw(frame: pd.DataFrame) -> "Figure":
    """A panel a metric, a row a model and split; a point a cell, over the band of the goal."""
    parts = list(dict.fromkeys(_parts(frame)))
    figure, axes = style.panels(1, len(TITLES), 11.0, 1.9 + _ROW_IN * max(len(parts), 2), sharey=True)
    for panel, (metric, title) in zip(axes[0], TITLES.items(), strict=True):
        some = frame[frame["metric"] == metric]
        panel.set_title(title)
        if some.empty:
            style.say(panel, "No measured cell was predicted from others.")
            continue
        _panel(panel, some, parts)
        panel.set_xlabel("Error (points)" if metric == _SHARE else "Error (%)")
        panel.set_yticks(range(len(parts)), parts)
        panel.set_ylim(len(parts) - 0.5, -0.5)
    return figure


def _panel(panel: "Axes", rows: pd.DataFrame, parts: list[str]) -> None:
    goal = float(rows["goal"].iloc[0]) * 100
    panel.axvspan(-goal, goal, color="#d9e2ec", lw=0)
    panel.axvline(0, color=style.FAINT, lw=1)
    named = rows.assign(part=_parts(rows))
    colours = style.arrival_colours(
        [style.number(b) for b in sorted(rows["burstiness"].dropna().unique(), reverse=True)]
    )
    for (part,), some in rows_by(named, ["part"]):
        errors = some.sort_values("error")
        places = parts.index(part) + _SPREAD * np.linspace(-1, 1, len(errors))
        for place, error, burstiness in zip(places, errors["error"] * 100, errors["burstiness"], strict=True):
            colour = colours.get(style.number(burstiness), style.EXCLUDED)
            panel.plot([error], [place], "o", ms=4, **style.marker_style(colour, "simulated"))
        median = float(some["error"].median()) * 100
        panel.plot(
            [median, median], [parts.index(part) - 0.4, parts.index(part) + 0.4], color=style.INK, lw=1.6
        )


def _parts(frame: pd.DataFrame) -> list[str]:
    engines = frame["engine"].nunique() > 1
    return [
        f"{model}{f' · {engine}' if engines else ''}, {split}"
        for model, engine, split in zip(frame["model"], frame["engine"], frame["split"], strict=True)
    ]


def note(frame: pd.DataFrame) -> str:
    """What is drawn how, and how many cells."""
    cells = count(frame["cell"].nunique(), "measured cell")
    return (
        f"Simulated against measured, {cells}: a hollow point each, in order of error from top to bottom, lighter where arrivals "
        "are burstier. Band: the goal. Bar: the median."
    )
