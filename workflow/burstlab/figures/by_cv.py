"""What figures 1 and 3 share: a summary metric of cells against the CV of arrivals."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from burstlab.figures import style
from burstlab.figures.grouping import rows_by
from burstlab.figures.tables import IDENTITY
from burstlab.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLUMNS = ["mark", "metric", *IDENTITY, "value", "sd", "seeds"]


def seeds_and_means(cells: pd.DataFrame, metrics: Sequence[str]) -> pd.DataFrame:
    """Long frame of the metrics: a row a cell (mark `seed`), and a row a rate and arrivals (mark `mean`).

    A mean is over the counted cells' seeds, `sd` their standard deviation (n − 1; null for one seed), `seeds`
    their number. Cells without a value keep a row, so that what is missing can be told.
    """
    parts: list[pd.DataFrame] = []
    means: list[dict[str, object]] = []
    for metric in metrics:
        seeds = cells[IDENTITY].assign(mark="seed", metric=metric, value=cells[metric].astype(float))
        parts.append(seeds)
        usable = seeds[seeds["counted"] & seeds["value"].notna()]
        for keys, some in rows_by(usable, ["rate", "arrivals", "burstiness", "evidence"]):
            rate, arrivals, burstiness, evidence = keys
            means.append(
                {
                    "mark": "mean",
                    "metric": metric,
                    "rate": rate,
                    "arrivals": arrivals,
                    "burstiness": burstiness,
                    "cv": some["cv"].mean(),
                    "evidence": evidence,
                    "counted": True,
                    "value": some["value"].mean(),
                    "sd": some["value"].std(ddof=1),
                    "seeds": len(some),
                }
            )
    if means:
        parts.append(pd.DataFrame(means))
    if not parts:
        return pd.DataFrame(columns=COLUMNS)
    frame = pd.concat(parts, ignore_index=True).reindex(columns=COLUMNS)
    frame["seed"] = frame["seed"].astype("Int64")
    frame["seeds"] = frame["seeds"].astype("Int64")
    frame["metric"] = pd.Categorical(frame["metric"], categories=list(metrics), ordered=True)
    order = ["metric", "mark", "rate", "cv", "arrivals", "evidence", "seed"]
    frame = frame.sort_values(order, kind="stable", ignore_index=True)
    frame["metric"] = frame["metric"].astype(str)
    return frame


def draw_metric(axes: "Axes", frame: pd.DataFrame, metric: str, scale: float = 1.0) -> None:
    """Draws one metric: band and line of the means, a point a seed, crosses for excluded cells."""
    rows = frame[(frame["metric"] == metric) & frame["value"].notna()]
    if rows.empty:
        style.say(axes, why_empty(frame[frame["metric"] == metric]))
        return
    colours = style.rate_colours(list(frame["rate"].unique()))
    markers = style.rate_markers(list(frame["rate"].unique()))
    for (rate, evidence), some in rows_by(rows, ["rate", "evidence"]):
        colour, marker = colours[rate], markers[rate]
        _draw_means(axes, some[some["mark"] == "mean"], colour, marker, evidence, scale)
        seeds = some[some["mark"] == "seed"]
        counted = seeds[seeds["counted"].astype(bool)]
        excluded = seeds[~seeds["counted"].astype(bool)]
        fill = style.marker_style(colour, evidence)
        axes.plot(counted["cv"], counted["value"] * scale, marker, ms=3.5, alpha=0.65, mew=0.8, **fill)
        axes.plot(excluded["cv"], excluded["value"] * scale, "x", ms=6, mew=1.3, color=colour)
    highest = float((rows["value"] + rows["sd"].fillna(0)).max()) * scale
    axes.set_ylim(0, highest * 1.08 or 1)
    axes.margins(x=0.08)


def _draw_means(
    axes: "Axes", means: pd.DataFrame, colour: Any, marker: str, evidence: str, scale: float
) -> None:
    fill = style.marker_style(colour, evidence)
    gamma = means[means["arrivals"] == "gamma"].sort_values("cv")
    value, sd = gamma["value"] * scale, gamma["sd"] * scale
    axes.plot(gamma["cv"], value, style.line_style(evidence) + marker, ms=6, lw=1.8, color=colour, **fill)
    if sd.notna().any():
        axes.fill_between(gamma["cv"], value - sd, value + sd, color=colour, alpha=0.15, lw=0)
    for _, trace in means[means["arrivals"] != "gamma"].iterrows():
        # A replayed trace is no point of the gamma family: it stands by itself, with its name.
        spread = trace["sd"] * scale if pd.notna(trace["sd"]) else None
        axes.errorbar(
            trace["cv"],
            trace["value"] * scale,
            yerr=spread,
            fmt="*",
            ms=10,
            lw=1.2,
            capsize=3,
            color=colour,
            **fill,
        )
        axes.annotate(
            str(trace["arrivals"]).removeprefix("trace:"),
            (trace["cv"], trace["value"] * scale),
            xytext=(6, 7),
            textcoords="offset points",
            fontsize=7.5,
            color=style.FAINT,
        )


def label_burstiness(axes: "Axes", frame: pd.DataFrame) -> None:
    """Names vLLM's burstiness b along the top, at the CV it stands for."""
    gamma = frame[(frame["arrivals"] == "gamma") & frame["cv"].notna()]
    gamma = gamma.drop_duplicates("burstiness").sort_values("cv")
    if gamma.empty or not axes.axison:
        return
    top = axes.secondary_xaxis("top")
    top.set_xticks(list(gamma["cv"]), [f"b={style.number(b)}" for b in gamma["burstiness"]])
    top.tick_params(length=3, labelsize=7.5, colors=style.FAINT)
    top.spines["top"].set_visible(False)


def legend(figure: "Figure", frame: pd.DataFrame) -> None:
    """One legend for all panels: a colour and marker a rate, stars and crosses where they occur."""
    from matplotlib.lines import Line2D

    drawn = frame[frame["value"].notna()]
    if drawn.empty:
        return
    colours = style.rate_colours(list(frame["rate"].unique()))
    markers = style.rate_markers(list(frame["rate"].unique()))
    handles = []
    for (rate, evidence), some in rows_by(drawn, ["rate", "evidence"]):
        seeds = style.seeds_text(list(some.loc[some["mark"] == "mean", "seeds"].dropna()))
        label = f"{style.number(rate)} req/s, {evidence}" + (f", {seeds}" if seeds else "")
        fill = style.marker_style(colours[rate], evidence)
        line = style.line_style(evidence)
        handles.append(
            Line2D([], [], color=colours[rate], marker=markers[rate], ls=line, label=label, **fill)
        )
    if (drawn["arrivals"] != "gamma").any():
        handles.append(Line2D([], [], color=style.INK, marker="*", ms=9, ls="", label="replayed trace"))
    if not drawn["counted"].astype(bool).all():
        handles.append(Line2D([], [], color=style.INK, marker="x", ls="", label="excluded cell"))
    figure.legend(handles=handles, loc="outside lower center", ncols=min(len(handles), 4))


def why_empty(frame: pd.DataFrame) -> str:
    """Why a panel has nothing to draw."""
    if frame.empty:
        return "Nothing to draw: this group has no cell with a finite request rate."
    gates = sorted({gate for text in frame["failed_gates"].dropna() for gate in str(text).split(",") if gate})
    because = f" Failed gates: {', '.join(gates)}." if gates else ""
    return f"Nothing to draw: of {count(len(frame), 'cell')} none has a value.{because}"


def note(frame: pd.DataFrame) -> str:
    """What line, band and points are."""
    seeds = frame[frame["mark"] == "seed"].drop_duplicates("cell")
    if seeds.empty:
        return "No cell with a finite request rate."
    counts = sorted(frame.loc[frame["mark"] == "mean", "seeds"].dropna().astype(int).unique())
    if not counts:
        text = "No counted cell has a value."
    elif counts == [1]:
        text = "One seed a condition, so no band."
    else:
        many = str(counts[0]) if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
        text = (
            f"Line and band: mean ± standard deviation over {many} seeds, as in the published study; "
            "small points: single seeds."
        )
    excluded = int((~seeds["counted"].astype(bool)).sum())
    if excluded:
        text += (
            f" {excluded} of {count(len(seeds), 'cell')} excluded by a validity gate: "
            "crosses, in neither line nor band."
        )
    return text
