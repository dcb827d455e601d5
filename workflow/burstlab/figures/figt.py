"""Figure T: a burst as it went, a bar an iteration, with the arrivals above."""

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from burstlab.figures import profiled_runs, style
from burstlab.figures.registry import Group
from burstlab.figures.tables import IDENTITY, Tables
from burstlab.iterations.log import KINDS
from burstlab.records.cell_record import SIMULATED
from burstlab.wording import count, quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ITERATION, ARRIVAL = "iteration", "arrival"
# Bars that one can tell apart.
ITERATIONS_SHOWN = 40
# Before the first of them, of the time that they take.
_LEAD = 0.02
COLOURS = dict(
    zip(KINDS, ("#0173b2", "#de8f05", "#029e73"), strict=True)
)  # from seaborn's colour-blind palette
_HATCHES = dict(zip(KINDS, ("", "////", "xxx"), strict=True))
_COUNTS = ["context_requests", "context_tokens", "generation_requests", "generation_tokens"]
COLUMNS = [
    *IDENTITY,
    "what",
    "begin_ms",
    "duration_ms",
    "kind",
    *_COUNTS,
    "within_ms",
    "why",
    "window_ms",
]


def data(tables: Tables, group: Group) -> pd.DataFrame:
    """The iterations and arrivals of a window of one run, `begin_ms` from the window's start; `window_ms` is its length.

    The run is that of the burstiest arrivals, of the lowest rate and the first seed among those. The window is that of
    `ITERATIONS_SHOWN` iterations in a row with most arrivals, the first if there are several.
    """
    chosen = _run(profiled_runs.that_count(tables.runs("timeline", group)))
    if chosen.empty:
        return pd.DataFrame(columns=COLUMNS).astype({"evidence": str})
    start_ms, end_ms = _densest(chosen)
    begin_ms = chosen["begin_ms"]
    inside = (begin_ms < end_ms) & (begin_ms + chosen["duration_ms"].fillna(0.0) > start_ms)
    found = chosen[inside].assign(begin_ms=begin_ms - start_ms, window_ms=end_ms - start_ms)
    return found[COLUMNS].sort_values(["what", "begin_ms"], kind="stable", ignore_index=True)


def _run(rows: pd.DataFrame) -> pd.DataFrame:
    runs = rows[["cell", "cv", "rate", "seed"]].drop_duplicates()
    runs = runs.sort_values(["cv", "rate", "seed"], ascending=[False, True, True], kind="stable")
    return rows[rows["cell"] == runs["cell"].iloc[0]] if len(runs) else rows


def _densest(rows: pd.DataFrame) -> tuple[float, float]:
    """Start and end of the window; without arrivals, prompts that begin to be computed stand for them."""
    iterations = rows[rows["what"] == ITERATION].sort_values("begin_ms")
    begin_ms = iterations["begin_ms"].to_numpy(float)
    end_ms = begin_ms + iterations["duration_ms"].to_numpy(float)
    arrivals = rows.loc[rows["what"] == ARRIVAL, "begin_ms"]
    stand_in = iterations.loc[iterations["context_tokens"] > 0, "begin_ms"]
    points_ms = np.sort((arrivals if len(arrivals) else stand_in).to_numpy(float))
    last = min(ITERATIONS_SHOWN, len(begin_ms)) - 1
    starts_ms, ends_ms = begin_ms[: len(begin_ms) - last], end_ms[last:]
    starts_ms = starts_ms - _LEAD * (ends_ms - starts_ms)
    held = np.searchsorted(points_ms, ends_ms) - np.searchsorted(points_ms, starts_ms)
    place = int(np.argmax(held))
    return float(starts_ms[place]), float(ends_ms[place])


def draw(frame: pd.DataFrame) -> "Figure":
    """Ticks of arrivals above, bars of iterations below, on one axis of time."""
    if frame.empty:
        figure, axes = style.panels(1, 1, 7.0, 3.0)
        style.say(axes[0, 0], "Nothing to draw: this group has no profiled run that ran what was asked for.")
        return figure
    figure, axes = style.panels(2, 1, 10.5, 4.8, sharex=True, height_ratios=[1, 4])
    above, below = axes[:, 0]
    _arrivals(above, frame[frame["what"] == ARRIVAL])
    _iterations(below, frame[frame["what"] == ITERATION])
    below.set_xlim(0, float(frame["window_ms"].iloc[0]))
    below.set_xlabel("Time from the start of the window (ms)")
    handles, labels = below.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=3)
    return figure


def _arrivals(axes: "Axes", arrivals: pd.DataFrame) -> None:
    if arrivals.empty:
        axes.text(0.5, 0.5, "arrivals not known", ha="center", transform=axes.transAxes, color=style.FAINT)
    axes.vlines(arrivals["begin_ms"], 0, 1, color=style.INK, lw=1.2)
    axes.set_ylim(0, 1)
    axes.set_yticks([])
    axes.set_ylabel("Arrivals")
    axes.grid(visible=False)


def _iterations(axes: "Axes", iterations: pd.DataFrame) -> None:
    from matplotlib.ticker import FuncFormatter

    tokens = iterations["context_tokens"] + iterations["generation_tokens"]
    for kind in KINDS:
        some = iterations["kind"] == kind
        if some.any():
            axes.bar(
                iterations["begin_ms"][some],
                tokens[some],
                iterations["duration_ms"][some],
                align="edge",
                color=COLOURS[kind],
                hatch=_HATCHES[kind],
                edgecolor="white" if _HATCHES[kind] else "none",
                linewidth=0.3,
                label=f"{kind} ({some.sum()})",
            )
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
    axes.set_ylim(0.7, max(float(tokens.max()), 1.0) * 2)
    axes.set_ylabel("Tokens in the iteration\n(width: its duration)")


def note(frame: pd.DataFrame) -> str:
    """Which run and window is shown, and how well arrivals are placed."""
    if frame.empty:
        return "No profiled run that ran what was asked for."
    run = frame.iloc[0]
    iterations = frame[frame["what"] == ITERATION]
    arrivals = frame[frame["what"] == ARRIVAL]
    burst = f"b={style.number(run['burstiness'])}" if pd.notna(run["burstiness"]) else str(run["arrivals"])
    text = (
        f"{style.number(run['rate'])} req/s, {burst}, seed {run['seed']}: the {quantity(run['window_ms'], 'ms')} "
        "with most arrivals, "
        f"{count(len(arrivals), 'arrival')} and {count(len(iterations), 'iteration')}."
    )
    if run["evidence"] == SIMULATED:
        return text
    text += " Recording slowed the run down."
    if arrivals.empty:
        reasons = iterations["why"].dropna()
        return f"{text} Arrivals could not be placed: {reasons.iloc[0]}." if len(reasons) else text
    within_ms = float(arrivals["within_ms"].iloc[0])
    return f"{text} Arrivals are the client's times, placed to ± {quantity(within_ms, 'ms')}."
