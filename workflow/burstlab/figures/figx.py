"""Figure X: what decodes cost beside a prompt in one call, in two, beside two prompts at once, and padded: exact batches."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from burstlab.exact_batches.effects import APART, ENGINE, OFF_PATH, TOGETHER, TWICE, effects
from burstlab.figures import style
from burstlab.figures.tables import Tables
from burstlab.records.cell_record import SIMULATED
from burstlab.validity.gates.cores_to_itself import MOST_OF_CORES
from burstlab.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

TABLE = "exact_batches"
_SHAPE = ["decodes", "context_tokens", "chunk_tokens"]
_VALUES = ["part", "effect", "decode_ms", "extra", "low", "high", "repetitions", "why"]
COLUMNS = [*ENGINE, *_SHAPE, *_VALUES]
_EXTRA = "Extra time, of the decodes' alone (%)"
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


@dataclass(frozen=True)
class _Row:
    """Panels beside each other, one a shape: of one `engine`, part by part, or of all engines in `labels`."""

    shapes: list[tuple[str, pd.DataFrame]]
    engine: str = ""
    labels: Mapping[tuple[str, ...], str] = field(default_factory=dict)

    @property
    def height_in(self) -> float:
        return 3.1 if self.engine else 0.9 + 0.4 * len(self.labels)


def draw(frame: pd.DataFrame) -> "Figure":
    """A panel a shape: a row of them for each engine whose parts were timed, and a last one for all other engines together."""
    # Rows of engines without times have no shape either, so that whole numbers were floats.
    frame = frame[frame["effect"].notna()].astype(dict.fromkeys(_SHAPE, int))
    rows = list(_rows(frame))
    if not rows:
        figure, axes = style.panels(1, 1, 7.0, 3.0)
        style.say(axes[0, 0], "Nothing to draw: no exact batches were timed.")
        return figure
    columns = max(len(row.shapes) for row in rows)
    heights_in = [row.height_in for row in rows]
    figure, axes = style.panels(
        len(rows), columns, max(4.6 * columns, 7.0), sum(heights_in) + 0.9, height_ratios=heights_in
    )
    for panels, row in zip(axes, rows, strict=True):
        _draw_row(panels, row)
    figure.legend(handles=_legend(frame), loc="outside lower center", ncols=2)
    return figure


def _rows(frame: pd.DataFrame) -> Iterator[_Row]:
    in_parts = frame.groupby(ENGINE[:3])["part"].transform("nunique") > 1
    for engine, some in frame[in_parts].groupby(ENGINE[:3], sort=True):
        yield _Row(_by_shape(some), engine=" · ".join(map(str, engine)))
    whole = frame[~in_parts]
    if len(whole):
        yield _Row(_by_shape(whole), labels=_labels(whole))


def _draw_row(panels: np.ndarray, row: _Row) -> None:
    for panel in panels[len(row.shapes) :]:
        panel.set_axis_off()
    for panel, (shape, some) in zip(panels, row.shapes, strict=False):
        if row.engine:
            panel.set_title(f"{row.engine}\n{shape}", fontsize=9)
            _points(panel, some)
        else:
            panel.set_title(shape.replace(", ", ",\n"), fontsize=9)
            _engines(panel, some, row.labels, named=panel is panels[0])
    if row.engine:
        panels[0].set_ylabel(_EXTRA.replace(" of the ", " of the\n"))


def _by_shape(frame: pd.DataFrame) -> list[tuple[str, pd.DataFrame]]:
    return [
        (f"{decodes} decodes of {context} tokens, {chunk} of a prompt", some)
        for (decodes, context, chunk), some in frame.groupby(_SHAPE, sort=True)
    ]


def _labels(frame: pd.DataFrame) -> dict[tuple[str, ...], str]:
    """Engine → its label, in order. Simulated engines of a platform and model that have the very same times are one line, that of
    the first: one setup under several names, or settings of which the simulation takes no notice."""
    alike: dict[tuple[object, ...], list[str]] = {}
    for (platform, model, engine), some in frame.groupby(ENGINE[:3], sort=True):
        times = some.sort_values([*_SHAPE, "effect"])[[*_SHAPE, "effect", "decode_ms", "extra"]]
        # Two engines that were timed are two, whatever came out.
        same = (
            times.itertuples(index=False, name=None) if (some["evidence"] == SIMULATED).all() else (engine,)
        )
        key = (platform, model, *same)
        alike.setdefault(key, []).append(str(engine))
    return {
        (str(key[0]), str(key[1]), engines[0]): f"{key[0]} · {key[1]}\n{', '.join(engines)}"
        for key, engines in alike.items()
    }


def _engines(
    axes: "Axes", frame: pd.DataFrame, labels: Mapping[tuple[str, ...], str], *, named: bool
) -> None:
    """A line an engine, with the extra time of the whole forward pass; `named` where the labels are to stand."""
    axes.axvline(0, color=style.FAINT, lw=1)
    places = {engine: -number for number, engine in enumerate(labels)}
    for (platform, model, engine, effect), some in frame.groupby([*ENGINE[:3], "effect"]):
        place = places.get((str(platform), str(model), str(engine)))
        if place is not None:
            _mark(axes, some, [place], _LOOKS[str(effect)], across=True)
    axes.set_yticks(list(places.values()), list(labels.values()) if named else [""] * len(labels))
    axes.set_ylim(0.6 - len(places), 0.6)
    axes.set_xlabel(_EXTRA.replace(" of", "\nof"))
    axes.margins(x=0.1)


def _points(axes: "Axes", frame: pd.DataFrame) -> None:
    parts = [part for part in _PARTS if (frame["part"] == part).any()]
    axes.axhline(0, color=style.FAINT, lw=1)
    for number, (effect, look) in enumerate(_LOOKS.items()):
        some = frame[frame["effect"] == effect].set_index("part").reindex(parts)
        x = [place + (number - (len(_LOOKS) - 1) / 2) * 0.18 for place in range(len(parts))]
        _mark(axes, some.assign(evidence=frame["evidence"].iloc[0]), x, look)
    axes.set_xticks(range(len(parts)), [_PARTS[part] for part in parts])
    axes.set_xlim(-0.5, len(parts) - 0.5)
    axes.margins(y=0.15)


def _mark(
    axes: "Axes", rows: pd.DataFrame, places: Sequence[float], look: tuple[str, str], *, across: bool = False
) -> None:
    """Points with their intervals, in %: upwards, or `across`."""
    colour, marker = look
    percent = rows[["extra", "low", "high"]].astype(float) * 100
    spread = [percent["extra"] - percent["low"], percent["high"] - percent["extra"]]
    x, y = (percent["extra"], places) if across else (places, percent["extra"])
    axes.errorbar(
        x,
        y,
        xerr=spread if across else None,
        yerr=None if across else spread,
        fmt=marker,
        ms=6,
        capsize=3,
        ecolor=colour,
        **style.marker_style(colour, str(rows["evidence"].iloc[0])),
    )


def _legend(frame: pd.DataFrame) -> list[Any]:
    """What is drawn of some engine at least."""
    from matplotlib.lines import Line2D

    there = set(frame["effect"])
    hollow = bool((frame["evidence"] == SIMULATED).all())
    return [
        Line2D(
            [], [], ls="", marker=marker, ms=6, color=colour, mfc="white" if hollow else colour, label=effect
        )
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
