"""Figure 4: how large mixed batches are, and how much of them is prompt."""

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from burstlab.figures import style
from burstlab.figures.conditions import ordered_conditions, with_condition
from burstlab.figures.grouping import rows_by
from burstlab.figures.registry import Group
from burstlab.figures.tables import IDENTITY, Tables
from burstlab.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TOKENS = ["context_tokens", "generation_tokens", "total_tokens"]
COLUMNS = ["mark", "condition", *IDENTITY, "mixed_iterations", *TOKENS, "sd_total_tokens", "seeds"]
CONTEXT_COLOUR, GENERATION_COLOUR = "#0173b2", "#de8f05"  # from seaborn's colour-blind palette


def data(tables: Tables, group: Group) -> pd.DataFrame:
    """A row a cell (mark `seed`) and a row a rate and condition (mark `mean`, over counted cells).

    Tokens are means over a cell's mixed iterations (null where it has none), then over seeds.
    """
    cells = with_condition(tables.paced(group))
    if cells.empty:
        return pd.DataFrame(columns=COLUMNS)
    rows = tables.rows("iterations", list(cells["cell"]), ["kind", *TOKENS[:2]])
    mixed = rows[rows["kind"] == "mixed"].groupby("cell")
    means = mixed[TOKENS[:2]].mean()
    seeds = cells[["condition", *IDENTITY]].assign(mark="seed")
    seeds = seeds.join(means, on="cell").join(mixed.size().rename("mixed_iterations"), on="cell")
    seeds["mixed_iterations"] = seeds["mixed_iterations"].fillna(0).astype(int)
    seeds["total_tokens"] = seeds["context_tokens"] + seeds["generation_tokens"]
    frame = pd.concat([seeds, *_means(seeds)], ignore_index=True).reindex(columns=COLUMNS)
    frame["seed"] = frame["seed"].astype("Int64")
    frame["seeds"] = frame["seeds"].astype("Int64")
    return frame.sort_values(
        ["mark", "rate", "cv", "condition", "evidence", "seed"], kind="stable", ignore_index=True
    )


def _means(seeds: pd.DataFrame) -> list[pd.DataFrame]:
    usable = seeds[seeds["counted"] & seeds["total_tokens"].notna()]
    result = []
    for (rate, condition, evidence), some in rows_by(usable, ["rate", "condition", "evidence"]):
        row: dict[str, object] = {"mark": "mean", "rate": rate, "condition": condition, "evidence": evidence}
        row |= {
            "arrivals": some["arrivals"].iloc[0],
            "burstiness": some["burstiness"].iloc[0],
            "cv": some["cv"].mean(),
        }
        row |= {tokens: some[tokens].mean() for tokens in TOKENS}
        row |= {"counted": True, "mixed_iterations": int(some["mixed_iterations"].sum()), "seeds": len(some)}
        row["sd_total_tokens"] = some["total_tokens"].std(ddof=1)
        result.append(pd.DataFrame([row]))
    return result


def draw(frame: pd.DataFrame) -> "Figure":
    """A panel of stacked bars for each rate."""
    rates = sorted(frame["rate"].unique())
    if not rates or frame["total_tokens"].isna().all():
        figure, axes = style.panels(1, 1, 7.0, 3.0)
        style.say(axes[0, 0], note(frame))
        return figure
    figure, axes = style.panels(1, len(rates), max(6.0, 3.6 * len(rates)), 4.4, sharey=True)
    conditions = ordered_conditions(frame)
    for panel, rate in zip(axes[0], rates, strict=True):
        _draw_rate(panel, frame[frame["rate"] == rate], conditions)
        panel.set_title(f"{style.number(rate)} req/s")
    axes[0, 0].set_ylabel("Tokens in a mixed iteration")
    axes[0, 0].set_ylim(0, float(frame["total_tokens"].max()) * 1.15)
    _legend(figure, frame)
    return figure


def _draw_rate(axes: "Axes", frame: pd.DataFrame, conditions: list[str]) -> None:
    place = {condition: number for number, condition in enumerate(conditions)}
    kinds = sorted(frame["evidence"].unique())
    width = 0.6 / len(kinds)
    for number, evidence in enumerate(kinds):
        shift = (number - (len(kinds) - 1) / 2) * width
        some = frame[frame["evidence"] == evidence]
        bars = some[some["mark"] == "mean"]
        x = np.array([place[condition] + shift for condition in bars["condition"]])
        measured = evidence == "measured"
        bottom = np.zeros(len(bars))
        for tokens, colour in (("generation_tokens", GENERATION_COLOUR), ("context_tokens", CONTEXT_COLOUR)):
            look: dict[str, Any] = {
                "facecolor": colour if measured else "white",
                "edgecolor": colour,
                "ls": style.line_style(evidence),
            }
            axes.bar(x, bars[tokens], width * 0.9, bottom=bottom, lw=1.4, **look)
            bottom += bars[tokens].to_numpy(float)
        for at, bar in zip(x, bars.to_dict("records"), strict=True):
            share = bar["context_tokens"] / bar["total_tokens"]
            axes.annotate(
                f"{share:.0%} prompt",
                (at, bar["total_tokens"] / 2),
                ha="center",
                fontsize=7.5,
                bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.9, "pad": 1.5},
            )
        if bars["sd_total_tokens"].notna().any():
            axes.errorbar(
                x,
                bars["total_tokens"],
                yerr=bars["sd_total_tokens"],
                fmt="none",
                ecolor=style.INK,
                capsize=3,
                lw=1,
            )
        seeds = some[(some["mark"] == "seed") & some["total_tokens"].notna()]
        at = np.array([place[condition] + shift for condition in seeds["condition"]])
        counted = seeds["counted"].to_numpy(bool)
        fill = style.marker_style(style.INK, evidence)
        axes.plot(
            at[counted] + width * 0.3, seeds["total_tokens"][counted], "o", ms=3, alpha=0.7, mew=0.8, **fill
        )
        axes.plot(
            at[~counted] + width * 0.3, seeds["total_tokens"][~counted], "x", ms=6, mew=1.3, color=style.INK
        )
    cv = frame.groupby("condition")["cv"].mean()
    ticks = [
        f"{name}\nCV {cv[name]:.3g}" if name in cv and pd.notna(cv[name]) else name for name in conditions
    ]
    axes.set_xticks(range(len(conditions)), ticks)
    axes.set_xlim(-0.6, len(conditions) - 0.4)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel("Burstiness b, and CV of gaps between arrivals")


def _legend(figure: "Figure", frame: pd.DataFrame) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.patches import Patch

    handles: list[Line2D | Patch] = [
        Patch(facecolor=CONTEXT_COLOUR, label="prompt (context) tokens"),
        Patch(facecolor=GENERATION_COLOUR, label="generated tokens"),
    ]
    for evidence in sorted(frame["evidence"].unique()):
        fill = style.marker_style(style.INK, evidence)
        handles.append(Line2D([], [], marker="o", ms=4, ls="", label=_seed_label(frame, evidence), **fill))
    if not frame["counted"].astype(bool).all():
        handles.append(Line2D([], [], color=style.INK, marker="x", ls="", label="excluded cell"))
    figure.legend(handles=handles, loc="outside lower center", ncols=2)


def _seed_label(frame: pd.DataFrame, evidence: str) -> str:
    means = frame[(frame["mark"] == "mean") & (frame["evidence"] == evidence)]
    seeds = style.seeds_text(list(means["seeds"].dropna()))
    return f"a seed, {evidence}" + (f" ({seeds} a bar)" if seeds else "")


def note(frame: pd.DataFrame) -> str:
    """What bars and points are, and which cells have none."""
    seeds = frame[frame["mark"] == "seed"]
    if seeds.empty:
        return "Nothing to draw: this group has no cell with a finite request rate."
    without = int((seeds["mixed_iterations"] == 0).sum())
    if without == len(seeds):
        return f"Nothing to draw: of {count(len(seeds), 'cell')} none had a mixed iteration."
    text = (
        "Bars: mean over seeds; whiskers: ± standard deviation of the total over seeds; points: single seeds."
    )
    if without:
        text += f" Without a mixed iteration: {without} of {count(len(seeds), 'cell')}."
    excluded = int((~seeds["counted"].astype(bool)).sum())
    if excluded:
        text += f" {excluded} of {count(len(seeds), 'cell')} excluded by a validity gate: crosses, not in the bars."
    return text
