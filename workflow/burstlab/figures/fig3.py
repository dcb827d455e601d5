"""Figure 3: share of generated tokens that came from decode-only iterations."""

from typing import TYPE_CHECKING

import pandas as pd

from burstlab.figures import by_cv, style
from burstlab.figures.registry import Group
from burstlab.figures.tables import Tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

METRIC = "decode_only_token_share"

note = by_cv.note


def data(tables: Tables, group: Group) -> pd.DataFrame:
    """A row a cell and a row a mean; values are fractions of the generated tokens."""
    return by_cv.seeds_and_means(tables.paced(group), [METRIC])


def draw(frame: pd.DataFrame) -> "Figure":
    """One panel, in percent."""
    figure, axes = style.panels(1, 1, 7.0, 4.4)
    panel = axes[0, 0]
    by_cv.draw_metric(panel, frame, METRIC, scale=100)
    if panel.axison:
        panel.set_ylim(0, 105)
    panel.set_xlabel("CV of gaps between arrivals")
    panel.set_ylabel("Tokens from decode-only iterations (%)")
    by_cv.label_burstiness(panel, frame)
    by_cv.legend(figure, frame)
    return figure
