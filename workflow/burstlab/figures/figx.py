"""Figure X: what decodes cost beside a prompt in one call, in two, beside two prompts at once, and padded: exact batches."""

from typing import TYPE_CHECKING, Any

import pandas as pd

from burstlab.exact_batches.effects import APART, ENGINE, OFF_PATH, TOGETHER, TWICE, effects
from burstlab.figures import style
from burstlab.figures.tables import Tables
from burstlab.validity.gates.cores_to_itself import MOST_OF_CORES
from burstlab.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TABLE = "exact_batches"
_SHAPE = ["decodes", "context_tokens", "chunk_tokens"]
_VALUES = ["part", "effect", "decode_ms", "extra", "low", "high", "repetitions", "why"]
COLUMNS = [*ENGINE, *_SHAPE, *_VALUES]
_LOOKS = {
    TOGETHER: ("#0173b2", "o"),
    APART: ("#de8f05", "s"),
    TWICE: ("#cc78bc", "^"),
    OFF_PATH: ("#029e73", "D"),
}
_PARTS = {"attention": "attention", "gdn": "Gated\nDeltaNet", "forward": "whole forward\npass"}


def data(tables: Tables) -> pd.DataFrame:
    """A row an engine, shape, part and comparison: the extra time as a fraction of the decodes' alone, with its interval.

    And a row an engine that has none, which says why.
    """
    table = tables.of_study(TABLE)
    rows = [
        {
            **one.keys,
            "part": one.part,
            "effect": one.name,
            "decode_ms": one.decode_ms,
            "extra": one.interval.estimate,
            "low": one.interval.low,
            "high": one.interval.high,
            "repetitions": one.interval.units,
        }
        for one in effects(table)
        if one.interval is not None
    ]
    return pd.DataFrame([*rows, *table[table["why"].notna()].to_dict("records")], columns=COLUMNS)


def draw(frame: pd.DataFrame) -> "Figure":
    """A row of panels an engine, a panel a shape; a point with its interval for each part and comparison."""
    groups = [
        (engine, list(some.groupby(_SHAPE, sort=True)))
        for engine, some in frame[frame["effect"].notna()].groupby(ENGINE[:3], sort=True)
    ]
    if not groups:
        figure, axes = style.panels(1, 1, 7.0, 3.0)
        style.say(axes[0, 0], "Nothing to draw: no exact batches were timed.")
        return figure
    columns = max(len(shapes) for _, shapes in groups)
    figure, axes = style.panels(len(groups), columns, max(4.6 * columns, 7.0), 3.1 * len(groups) + 0.9)
    for row, ((platform, model, engine), shapes) in enumerate(groups):
        for column in range(columns):
            panel = axes[row, column]
            if column >= len(shapes):
                panel.set_axis_off()
                continue
            _, some = shapes[column]
            decodes, context, chunk = (int(some[name].iloc[0]) for name in _SHAPE)
            _points(panel, some)
            panel.set_title(
                f"{platform} · {model} · {engine}\n{decodes} decodes of {context} tokens, {chunk} of a prompt",
                fontsize=9,
            )
        axes[row, 0].set_ylabel("Extra time, of the\ndecodes' alone (%)")
    figure.legend(handles=_legend(frame), loc="outside lower center", ncols=2)
    return figure


def _points(axes: "Axes", frame: pd.DataFrame) -> None:
    parts = [part for part in _PARTS if (frame["part"] == part).any()]
    axes.axhline(0, color=style.FAINT, lw=1)
    for number, (effect, (colour, marker)) in enumerate(_LOOKS.items()):
        some = frame[frame["effect"] == effect].set_index("part").reindex(parts)
        x = [place + (number - (len(_LOOKS) - 1) / 2) * 0.18 for place in range(len(parts))]
        percent = some[["extra", "low", "high"]].astype(float) * 100
        evidence = str(frame["evidence"].iloc[0])
        axes.errorbar(
            x,
            percent["extra"],
            yerr=[percent["extra"] - percent["low"], percent["high"] - percent["extra"]],
            fmt=marker,
            ms=6,
            capsize=3,
            ecolor=colour,
            **style.marker_style(colour, evidence),
        )
    axes.set_xticks(range(len(parts)), [_PARTS[part] for part in parts])
    axes.set_xlim(-0.5, len(parts) - 0.5)
    axes.margins(y=0.15)


def _legend(frame: pd.DataFrame) -> list[Any]:
    """What is drawn of some engine at least."""
    from matplotlib.lines import Line2D

    there = set(frame["effect"])
    return [
        Line2D([], [], ls="", marker=marker, ms=6, color=colour, label=effect)
        for effect, (colour, marker) in _LOOKS.items()
        if effect in there
    ]


def note(frame: pd.DataFrame) -> str:
    """What points are, what is behind them, and what the comparisons say."""
    without = frame[frame["why"].notna()]
    names = without[ENGINE[:3]].agg(" · ".join, axis=1) if len(without) else without["why"]
    missing = "".join(f" Not timed: {name} ({why})." for name, why in zip(names, without["why"], strict=True))
    frame = frame[frame["effect"].notna()]
    if frame.empty:
        return f"No exact batches were timed.{missing}"
    timed, simulated = frame[frame["evidence"] == "measured"], frame[frame["evidence"] == "simulated"]
    parts = [_timed(timed)] if len(timed) else []
    if len(simulated):
        parts.append(
            f"Hollow: simulated, by the costs of {' and '.join(sorted(simulated['by'].unique()))}, which do not vary; fitted to "
            "nothing. Nothing is simulated of padded decodes, which these costs would take for chunks of prompts."
        )
    return (
        " ".join(parts)
        + " In two calls nothing is shared, so that extra is 0 up to the method's own error. Below 0, one call saves "
        f"more than it costs.{_of_two_prompts(frame)}{missing}"
    )


def _of_two_prompts(frame: pd.DataFrame) -> str:
    if TWICE not in set(frame["effect"]):
        return ""
    return " Beside two at once: what a burst spares that brings two prompts together."


def _timed(frame: pd.DataFrame) -> str:
    low, high = int(frame["repetitions"].min()), int(frame["repetitions"].max())
    span = count(low, "repetition") if low == high else f"{low} to {count(high, 'repetition')}"
    by = " and ".join(sorted(frame["by"].unique()))
    most = frame["others_share"].astype(float).max()
    disturbed = ""
    if most > MOST_OF_CORES:
        disturbed = (
            f" Other programs used up to {most:.0%} of the cores meanwhile: above {MOST_OF_CORES:.0%} no claim and no map rests "
            "on it."
        )
    return (
        f"Points: medians over {span} of arms in random order, with 95% intervals of order statistics; timed with {by}."
        f"{disturbed}"
    )
