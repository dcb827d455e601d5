"""Figure 6: attention under two versions of FlashAttention, beside what bursts do to the same engines."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from burstlab.figures import fig5, profiled_runs, style
from burstlab.figures.registry import Group, of_pair
from burstlab.figures.tables import IDENTITY, Tables
from burstlab.iterations.log import DECODE_ONLY, MIXED
from burstlab.statistics.relative_change import relative_change

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ATTENTION, BURSTS = "attention", "bursts"
METRICS = {"median_tpot_ms": "TPOT", "median_e2el_ms": "E2EL", "median_ttft_ms": "TTFT"}
_COSTS = {DECODE_ONLY: "decode_only_us", MIXED: "mixed_us"}
_ATTENTION_COLUMNS = ["per", "decode_only_us", "mixed_us", "index", "low", "high", "why"]
_BURSTS_COLUMNS = ["metric", "steady_b", "bursty_b", "change", "change_low", "change_high", "seeds"]
COLUMNS = ["mark", "engine", *IDENTITY, *_ATTENTION_COLUMNS, *_BURSTS_COLUMNS]


def data(tables: Tables, group: Group) -> pd.DataFrame:
    """Of both engines of a pair: rows of attention, as in figure 5, and relative changes of medians from steady to bursty.

    A change is that of counted cells with gamma arrivals at a finite rate, with its 95% interval; there is a row for each rate
    and metric.
    """
    rows: list[pd.DataFrame] = []
    for one in of_pair(group):
        costs = fig5.data(tables, one)
        costs = costs[costs["per"] == "token"]
        rows.append(costs.assign(mark=ATTENTION, engine=one[2]))
        rows.append(pd.DataFrame(list(_changes(tables.paced(one))), columns=COLUMNS))
    known = [some.reindex(columns=COLUMNS) for some in rows if len(some)]
    frame = pd.concat(known, ignore_index=True) if known else pd.DataFrame(columns=COLUMNS)
    return frame.sort_values(["mark", "engine", "rate", "cv", "seed"], kind="stable", ignore_index=True)


def _changes(cells: pd.DataFrame) -> Iterator[dict[str, Any]]:
    usable = cells[cells["counted"] & (cells["arrivals"] == "gamma")]
    for (rate, evidence, engine), some in usable.groupby(["rate", "evidence", "engine"], sort=True):
        steady_b, bursty_b = float(some["burstiness"].max()), float(some["burstiness"].min())
        for metric in METRICS:
            sides = [some[some["burstiness"] == b] for b in (steady_b, bursty_b)]
            before, after = (
                dict(zip(side["seed"], side[metric].astype(float), strict=True)) for side in sides
            )
            found = relative_change(before, after) if steady_b != bursty_b else None
            if found is not None:
                yield {
                    "mark": BURSTS,
                    "engine": engine,
                    "rate": rate,
                    "evidence": evidence,
                    "metric": metric,
                    "steady_b": steady_b,
                    "bursty_b": bursty_b,
                    "change": found.estimate,
                    "change_low": found.low,
                    "change_high": found.high,
                    "seeds": found.units,
                }


def draw(frame: pd.DataFrame) -> "Figure":
    """Left, a pair of bars for each engine and kind of arrivals; right, a point with its interval for each metric."""
    engines = sorted(frame["engine"].dropna().unique())
    bars = _bars(frame[frame["mark"] == ATTENTION], engines)
    width_in = max(5.2, 1.05 * len(bars))
    figure, axes = style.panels(1, 2, width_in + 5.2, 4.6, width_ratios=[width_in, 5.2])
    _attention(axes[0, 0], bars)
    _bursts(axes[0, 1], frame[frame["mark"] == BURSTS], engines)
    for panel in axes[0]:
        if panel.axison:
            panel.legend(loc="best")
    return figure


def _bars(frame: pd.DataFrame, engines: Sequence[str]) -> list[tuple[str, pd.DataFrame]]:
    """The runs of each engine and kind of arrivals, with a label."""
    asked = profiled_runs.that_count(frame)
    return [
        (f"{engine}\n{label}", rows)
        for engine in engines
        for label, rows in profiled_runs.arrivals(asked[asked["engine"] == engine])
    ]


def _attention(axes: "Axes", bars: Sequence[tuple[str, pd.DataFrame]]) -> None:
    if not bars:
        style.say(axes, "Nothing to draw: no profiled run of these engines has both kinds of iteration.")
        return
    colours = style.rate_colours([0.0, 1.0])
    for side, (kind, column) in enumerate(_COSTS.items()):
        x = np.arange(len(bars)) + (side - 0.5) * 0.36
        means_ms = [rows[column].mean() / 1000 for _, rows in bars]
        axes.bar(
            x, means_ms, 0.32, color=colours[float(side)], alpha=0.55, hatch="/" * (2 * side), label=kind
        )
        for at, (_, rows) in zip(x, bars, strict=True):
            axes.plot([at] * len(rows), rows[column] / 1000, "o", ms=4, color=style.INK, alpha=0.7)
    for place, (_, rows) in enumerate(bars):
        top_ms = float(rows[list(_COSTS.values())].max().max()) / 1000
        axes.annotate(
            fig5.index_text(rows), (place, top_ms), xytext=(0, 5), textcoords="offset points", ha="center", fontsize=8
        )  # fmt: skip
    axes.set_xticks(range(len(bars)), [label for label, _ in bars])
    axes.margins(y=0.3)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("Attention for each decode token (ms)")


def _bursts(axes: "Axes", frame: pd.DataFrame, engines: Sequence[str]) -> None:
    if frame.empty:
        style.say(axes, "Nothing to draw: these engines have no counted cells at two burstinesses.")
        return
    colours = dict(
        zip(engines, style.rate_colours([float(n) for n in range(len(engines))]).values(), strict=True)
    )
    markers = style.rate_markers([float(rate) for rate in frame["rate"].unique()])
    groups = list(frame.groupby(["engine", "rate", "evidence"], sort=True))
    for place, ((engine, rate, evidence), rows) in enumerate(groups):
        shift = (place - (len(groups) - 1) / 2) * 0.6 / max(len(groups), 1)
        by_metric = rows.set_index("metric").reindex(list(METRICS))
        change = by_metric["change"].to_numpy(float) * 100
        low, high = (by_metric[name].to_numpy(float) * 100 for name in ("change_low", "change_high"))
        colour = colours[str(engine)]
        axes.errorbar(
            np.arange(len(METRICS)) + shift,
            change,
            yerr=[change - low, high - change],
            fmt=markers[float(str(rate))],
            ms=6,
            capsize=3,
            ecolor=colour,
            label=f"{engine}, {style.number(float(str(rate)))} req/s",
            **style.marker_style(colour, str(evidence)),
        )
    axes.axhline(0, color=style.FAINT, lw=1)
    axes.set_xticks(range(len(METRICS)), list(METRICS.values()))
    axes.set_xlim(-0.5, len(METRICS) - 0.5)
    ends = frame[["steady_b", "bursty_b"]].iloc[0]
    axes.set_ylabel(
        f"Change of the median from b={style.number(ends['steady_b'])} to {style.number(ends['bursty_b'])} (%)"
    )


def note(frame: pd.DataFrame) -> str:
    """How many profiled runs and seeds are behind it."""
    changes = frame[frame["mark"] == BURSTS]
    seeds = style.seeds_text(list(changes["seeds"].dropna()))
    text = profiled_runs.note(frame[frame["mark"] == ATTENTION])
    if not seeds:
        return f"{text} No change of latency could be told."
    return f"{text} Changes of latency are of other, unprofiled runs: {seeds}, with 95% intervals."
