"""Figure 1: latency metrics against the CV of arrivals."""

from typing import TYPE_CHECKING

import pandas as pd

from burstlab.figures import by_cv, style
from burstlab.figures.registry import Group
from burstlab.figures.tables import Tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

QUANTITIES = {"tpot": "TPOT", "e2el": "E2EL", "ttft": "TTFT"}
STATISTICS = {"median": "Median", "p90": "90th percentile of"}
METRICS = [f"{statistic}_{quantity}_ms" for statistic in STATISTICS for quantity in QUANTITIES]

note = by_cv.note


def data(tables: Tables, group: Group) -> pd.DataFrame:
    """A row a cell and metric, and a row a mean; values in ms."""
    return by_cv.seeds_and_means(tables.paced(group), METRICS)


def draw(frame: pd.DataFrame) -> "Figure":
    """Two rows (median, 90th percentile) of three panels (TPOT, E2EL, TTFT)."""
    figure, axes = style.panels(2, 3, 10.5, 6.2)
    long = {
        quantity
        for quantity in QUANTITIES
        if frame.loc[frame["metric"].str.endswith(f"_{quantity}_ms"), "value"].max() >= 10_000
    }
    for row, (statistic, words) in enumerate(STATISTICS.items()):
        for column, (quantity, label) in enumerate(QUANTITIES.items()):
            panel = axes[row, column]
            metric = f"{statistic}_{quantity}_ms"
            in_seconds = quantity in long
            by_cv.draw_metric(panel, frame, metric, scale=0.001 if in_seconds else 1.0)
            panel.set_ylabel(f"{words} {label} ({'s' if in_seconds else 'ms'})")
            if row == 1:
                panel.set_xlabel("CV of gaps between arrivals")
            else:
                by_cv.label_burstiness(panel, frame)
    by_cv.legend(figure, frame)
    return figure
