"""Figure R: the regime map. Where bursts help, over load and over how dear mixed iterations are."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from burstlab.claims.evidence import Contrast, comparable, contrasts_of
from burstlab.claims.load import load_claims
from burstlab.figures import style
from burstlab.figures.mixing import Engine, Run, Spared, spared_by
from burstlab.figures.mixing import indices as index_by_run
from burstlab.figures.tables import Tables
from burstlab.statistics.interval import Interval
from burstlab.statistics.relative_change import relative_change
from burstlab.wording import count

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SWEEP, CELLS, PUBLISHED = "sweep", "cells", "published"
METRICS = {"tpot": "TPOT", "e2el": "E2EL"}
FAMILIES = {
    "decodes": "Mixed iterations are dear because\ndecodes cost more beside prompts",
    "prompts": "Mixed iterations are dear because\nprompts themselves take long",
}
COLUMNS = [
    "mark", "evidence", "family", "knob", "platform", "model", "engine", "workload", "rate", "arrivals", "load", "ratio",
    "metric", "change", "low", "high", "seeds", "also_different", "cause", "spared_low", "spared_high",
    "index", "index_low", "index_high",
]  # fmt: skip
# Claims whose numbers are published: of each metric the claim and its value.
_CHANGES = {"tpot": ("B2", "mean TPOT, relative change"), "e2el": ("B1", "median E2EL, relative change")}
_DURATIONS = ("B3", "decode-only iteration", "mixed iteration")
# Diverging, and told apart by the colour-blind. Halved is as far from the middle as doubled.
_COLOURS, _LIMIT = "RdBu_r", np.log(3)
_TICKS = (-2 / 3, -0.5, -0.3, -0.1, 0, 0.1, 0.4, 1, 2)
_MARKERS = {"measured": "o", "simulated": "D"}
_INDEX: dict[str, Any] = {"ls": "", "marker": "_", "ms": 8, "mew": 2, "lw": 1.4, "capsize": 2.5}
_BESIDE = 0.03


def data(tables: Tables) -> pd.DataFrame:
    """A row a metric and point of the sweep, contrast of cells that has an interval, or published number.

    `change` with its 95% interval `low` to `high` is relative; `ratio` is the mean duration of a mixed over that of a decode-only
    iteration under the steadiest arrivals. `load` is null where it is not known. The published ratio is that of B3. `cause` is
    the family that an engine belongs to by its exact batches, null where they do not tell it, with what they spare
    (`figures/mixing.py`), `index` the interference index for a decode token under the steadiest arrivals, of profiled runs.
    """
    rows = [*_sweep(tables.of_study("regimes")), *_cells(tables), *_published()]
    frame = pd.DataFrame(rows, columns=COLUMNS)
    frame["seeds"] = frame["seeds"].astype("Int64")
    return frame


def _sweep(regimes: pd.DataFrame) -> Iterator[dict[str, Any]]:
    for row in regimes.to_dict("records"):
        shared = {name: row[name] for name in ("evidence", "family", "knob", "load", "ratio", "seeds")}
        for metric in METRICS:
            name = f"{metric}_change"
            yield {
                **shared,
                "mark": SWEEP,
                "arrivals": f"b={row['steady_burstiness']:g} → {row['bursty_burstiness']:g}",
                "metric": metric,
                "change": row[name],
                "low": row[f"{name}_low"],
                "high": row[f"{name}_high"],
            }


def _cells(tables: Tables) -> Iterator[dict[str, Any]]:
    spared, indices = spared_by(tables), index_by_run(tables)
    for contrast in contrasts_of(comparable(tables.cells)):
        ratio = relative_change(contrast.steady("mean_decode_only_ms"), contrast.steady("mean_mixed_ms"))
        load = contrast.cells["load"].astype(float).mean()
        for metric in METRICS:
            column = f"mean_{metric}_ms"
            change = relative_change(contrast.steady(column), contrast.bursty(column))
            if change is None or ratio is None:
                continue
            yield {
                **_subject(contrast),
                **_spared(contrast, spared),
                **_index(contrast, indices),
                "load": load,
                "ratio": 1 + ratio.estimate,
                "metric": metric,
                "change": change.estimate,
                "low": change.low,
                "high": change.high,
                "seeds": change.units,
            }


def _subject(contrast: Contrast) -> dict[str, Any]:
    subject = contrast.subject
    return {
        "mark": CELLS,
        "evidence": contrast.evidence,
        "platform": subject.platform,
        "model": subject.model,
        "engine": subject.engine,
        "workload": subject.workload,
        "rate": subject.rate,
        "arrivals": subject.setting,
        "also_different": "; ".join(contrast.confounds()),
    }


def _spared(contrast: Contrast, spared: Mapping[Engine, Spared]) -> dict[str, Any]:
    subject = contrast.subject
    found = spared.get((subject.platform, subject.model, subject.engine))
    if found is None:
        return {}
    return {"cause": found.cause, "spared_low": found.low, "spared_high": found.high}


def _index(contrast: Contrast, indices: Mapping[Run, Interval]) -> dict[str, Any]:
    one = contrast.subject
    rate = float(one.rate or 0)
    found = indices.get((one.platform, one.model, one.engine, one.workload, rate, contrast.steady_b))
    if found is None:
        return {}
    return {"index": found.estimate, "index_low": found.low, "index_high": found.high}


def _published() -> Iterator[dict[str, Any]]:
    claims = {claim.id: claim for claim in load_claims()}
    durations, alone, mixed = _DURATIONS
    ratio = claims[durations].value(mixed).value / claims[durations].value(alone).value
    for metric, (claim, name) in _CHANGES.items():
        where = claims[claim].where
        yield {
            "mark": PUBLISHED,
            "evidence": "published",
            "platform": where.platforms[0] if where else "",
            "model": where.models[0] if where else "",
            "workload": "burstgpt",
            "arrivals": "b=1 → 0.1",
            "ratio": ratio,
            "metric": metric,
            "change": claims[claim].value(name).value,
        }


def draw(frame: pd.DataFrame) -> "Figure":
    """A row of two panels a metric, one a family; all share their scales and one bar of colours."""
    figure, axes = style.panels(2, 2, 10.5, 8.6, sharex=True, sharey=True)
    picture: Any = None
    for row, (metric, words) in zip(axes, METRICS.items(), strict=True):
        for panel, (family, title) in zip(row, FAMILIES.items(), strict=True):
            rows = frame[frame["metric"] == metric]
            picture = _background(panel, rows[rows["family"] == family])
            cells = rows[(rows["mark"] == CELLS) & (rows["cause"].isna() | (rows["cause"] == family))]
            _indices(panel, cells)
            _points(panel, cells)
            _lines(panel, rows[rows["mark"] == PUBLISHED])
            if metric == "tpot":
                panel.set_title(title)
            else:
                panel.set_xlabel("Load: rate / throughput with all sent at once")
        row[0].set_ylabel(f"{words}: duration of a mixed over that of\na decode-only iteration, b=1 (times)")
    _scales(axes[0, 0], frame)
    bar = figure.colorbar(picture, ax=axes, extend="both", shrink=0.7, pad=0.01)
    bar.set_ticks([float(np.log1p(tick)) for tick in _TICKS], labels=[_percent(tick) for tick in _TICKS])
    bar.set_label("Relative change of the mean from b=1 to b=0.1")
    figure.legend(handles=_legend(frame), loc="outside lower center", ncols=3)
    return figure


def _background(axes: "Axes", rows: pd.DataFrame) -> Any:
    """A tile a point of the sweep, and a dot in each whose interval holds 0."""
    change = rows.pivot(index="knob", columns="load", values="change")
    ratio = rows.pivot(index="knob", columns="load", values="ratio")
    loads = np.broadcast_to(change.columns.to_numpy(float), change.shape)
    tiles = axes.pcolormesh(
        _edges(loads),
        np.exp(_edges(np.log(ratio.to_numpy(float)))),
        np.log1p(change.to_numpy(float)),
        cmap=_COLOURS,
        vmin=-_LIMIT,
        vmax=_LIMIT,
        lw=0,
    )
    untold = rows[(rows["low"] <= 0) & (rows["high"] >= 0)]
    axes.plot(untold["load"], untold["ratio"], ls="", marker=".", ms=3, color=style.FAINT)
    return tiles


def _edges(centres: np.ndarray) -> np.ndarray:
    """Corners of tiles around centres of shape (rows, columns), at least two of each; shape (rows + 1, columns + 1)."""
    for axis in (0, 1):
        first, second = np.take(centres, [0], axis), np.take(centres, [1], axis)
        last, before = np.take(centres, [-1], axis), np.take(centres, [-2], axis)
        wider = np.concatenate([2 * first - second, centres, 2 * last - before], axis)
        length = wider.shape[axis]
        centres = (np.take(wider, range(length - 1), axis) + np.take(wider, range(1, length), axis)) / 2
    return centres


def _points(axes: "Axes", rows: pd.DataFrame) -> None:
    for row in rows[rows["load"].notna()].to_dict("records"):
        colour = _colour(row["change"])
        told = row["low"] > 0 or row["high"] < 0
        hollow = row["evidence"] != "measured"
        axes.plot(
            row["load"],
            row["ratio"],
            _MARKERS[row["evidence"]],
            ms=10 if hollow else 11,
            markerfacecolor="white" if hollow else colour,
            markeredgecolor=colour if hollow else style.INK,
            mew=3.0 if hollow else 1.6,
        )
        if hollow:  # a pale change would not stand out
            axes.plot(
                row["load"], row["ratio"], _MARKERS["simulated"], ms=13, mew=0.8, mec=style.INK, mfc="none"
            )
        if not told:
            axes.plot(row["load"], row["ratio"], marker=".", ms=4, color=style.INK)


def _indices(axes: "Axes", rows: pd.DataFrame) -> None:
    """The interference index beside the point of its cells, with its interval and a line to the point."""
    some = rows[rows["load"].notna() & rows["index"].notna()]
    if some.empty:
        return
    index, low, high = (some[name].astype(float) for name in ("index", "index_low", "index_high"))
    load, ratio = some["load"].astype(float), some["ratio"].astype(float)
    axes.plot([load, load + _BESIDE], [ratio, index], color=style.INK, lw=0.9, ls=":")
    axes.errorbar(load + _BESIDE, index, yerr=[index - low, high - index], **_INDEX, color=style.INK)


def _lines(axes: "Axes", rows: pd.DataFrame) -> None:
    """What was published has no load: a line across all of them, in the colour of its change."""
    for row in rows.to_dict("records"):
        for colour, width in ((style.INK, 4.2), (_colour(row["change"]), 2.6)):
            axes.axhline(row["ratio"], color=colour, lw=width, zorder=1.5)
        axes.annotate(
            f"published: {row['model']}, {row['platform']},\n{_percent(row['change'])}, load not stated",
            (0.02, row["ratio"]),
            xycoords=("axes fraction", "data"),
            xytext=(0, 5),
            textcoords="offset points",
            fontsize=7.5,
            bbox={"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": "none", "alpha": 0.85},
        )


def _colour(change: float) -> Any:
    from matplotlib import colormaps

    return colormaps[_COLOURS]((np.log1p(change) + _LIMIT) / (2 * _LIMIT))


def _percent(change: float) -> str:
    return f"{change:+.0%}".replace("-", "−") if change else "0"


def _scales(axes: "Axes", frame: pd.DataFrame) -> None:
    from matplotlib.ticker import NullFormatter, ScalarFormatter

    axes.set_yscale("log")
    top = float(frame["ratio"].max()) * 1.15
    axes.set_ylim(1, top)
    axes.set_xlim(0, max(1.0, float(frame["load"].max()) * 1.05))
    axes.set_yticks([tick for tick in (1, 2, 3, 5, 10, 20, 50, 100) if tick <= top])
    axes.yaxis.set_major_formatter(ScalarFormatter())
    axes.yaxis.set_minor_formatter(NullFormatter())


def _legend(frame: pd.DataFrame) -> list[Any]:
    from matplotlib.lines import Line2D

    ink: dict[str, Any] = {"color": style.INK, "markeredgecolor": style.INK}
    handles = [Line2D([], [], ls="", marker="s", ms=9, mfc="#cfd8e3", mec="none", label="sweep, simulated")]
    evidence = set(frame.loc[frame["mark"] == CELLS, "evidence"])
    if "measured" in evidence:
        handles.append(
            Line2D([], [], ls="", marker="o", ms=9, mfc="#cfd8e3", label="cells, measured (by fill)", **ink)
        )
    if "simulated" in evidence:
        handles.append(
            Line2D([], [], ls="", marker="D", ms=8, mfc="white", label="cells, simulated (by edge)", **ink)
        )
    if frame["index"].notna().any():
        handles.append(
            Line2D(
                [], [], ls="", marker="_", ms=9, mew=2, label="interference index a decode token, b=1", **ink
            )
        )
    handles.append(Line2D([], [], lw=3, color=style.INK, label="published (by line)"))
    handles.append(Line2D([], [], ls="", marker=".", ms=5, label="95% interval holds 0", **ink))
    return handles


def note(frame: pd.DataFrame) -> str:
    """What is drawn, and what could not be."""
    sweep = frame[frame["mark"] == SWEEP]
    tiles = count(len(sweep) // len(METRICS), "point")
    seeds = style.seeds_text(list(sweep["seeds"].dropna()))
    text = f"Sweep: {tiles}, {seeds} each, simulated. "
    cells = frame[(frame["mark"] == CELLS) & (frame["metric"] == "tpot")]
    for evidence, rows in cells.groupby("evidence", sort=True):
        text += f"{count(len(rows), 'comparison')} of cells {evidence}"
        unknown = int(rows["load"].isna().sum())
        text += f", {unknown} not drawn since their load is not known. " if unknown else ". "
    if cells.empty:
        text += "No comparison of cells has an interval. "
    placed = int(cells["cause"].notna().sum())
    if placed:
        text += f"Exact batches say in which column {placed} of them belong; the others are in both. "
    different = int((cells["also_different"].notna() & cells["also_different"].ne("")).sum())
    if different:
        text += f"In {different} of them not only bursts were different: the CSV names what. "
    return text + "The published change is a line, since the source states no load; its E2EL is the median's."
