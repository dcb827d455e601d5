"""How every figure looks: theme, colours, and how evidence and exclusion show."""

import io
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

INK = "#1f2933"
FAINT = "#52606d"
EXCLUDED = "#7b8794"
# Below the figure's upper edge, whatever its height, so that the badge's frame is whole.
_BADGE_TOP_IN = 0.12
MARKERS = ("o", "s", "D", "^", "v", "P")

# Text stays text: sharp, searchable, small. DejaVu ships with matplotlib, so every machine measures it alike.
_RC: Any = {
    "svg.fonttype": "none",
    "svg.hashsalt": "burstlab",
    "font.family": ["sans-serif"],
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "axes.titlesize": 10.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.labelsize": 9.5,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#9aa5b1",
    "axes.formatter.useoffset": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "grid.color": "#e4e7eb",
    "grid.linewidth": 0.8,
    "xtick.labelsize": 8.5,
    "ytick.labelsize": 8.5,
    "xtick.color": FAINT,
    "ytick.color": FAINT,
    "text.color": INK,
    "legend.fontsize": 8.5,
    "legend.frameon": True,
    "legend.edgecolor": "white",
    "legend.framealpha": 0.85,
    "figure.facecolor": "white",
    "axes.facecolor": "white",
    # A model may be called "a$b$c"; that is no formula.
    "text.parse_math": False,
}


@contextmanager
def theme() -> Iterator[None]:
    """Matplotlib's settings for the figures, whatever they were before; restored afterwards."""
    import matplotlib
    import seaborn

    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(seaborn.axes_style("whitegrid"))
        matplotlib.rcParams.update(_RC)
        yield


def panels(
    rows: int, columns: int, width_in: float, height_in: float, **options: Any
) -> "tuple[Figure, np.ndarray]":
    """A figure and its axes, shape (rows, columns)."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width_in, height_in), layout="constrained")
    return figure, figure.subplots(rows, columns, squeeze=False, **options)


def rate_colours(rates: Sequence[float]) -> dict[float, Any]:
    """A colour a request rate, from seaborn's colour-blind safe palette."""
    import seaborn

    palette = seaborn.color_palette("colorblind")
    order = [0, 3, 2, 1, 4, 9, 5, 7]
    return {rate: palette[order[n % len(order)]] for n, rate in enumerate(sorted(set(rates)))}


def rate_markers(rates: Sequence[float]) -> dict[float, str]:
    """A marker a request rate, so that colour is never the only cue."""
    return {rate: MARKERS[n % len(MARKERS)] for n, rate in enumerate(sorted(set(rates)))}


def arrival_colours(arrivals: Sequence[str]) -> dict[str, Any]:
    """A colour a kind of arrivals, in the given order: dark to light, readable without hue."""
    import seaborn

    shades = seaborn.color_palette("plasma", max(len(arrivals), 3) + 1)  # the last is too pale on white
    return dict(zip(arrivals, shades, strict=False))


def marker_style(colour: Any, evidence: str) -> dict[str, Any]:
    """Marker arguments: filled where measured, hollow where simulated."""
    return {"markerfacecolor": colour if evidence == "measured" else "white", "markeredgecolor": colour}


def line_style(evidence: str) -> str:
    """Solid where measured, dashed where simulated."""
    return "-" if evidence == "measured" else "--"


def number(value: float) -> str:
    """Shortest text of a number: 10, 0.5, inf."""
    return f"{value:g}"


def seeds_text(seeds: Sequence[float]) -> str:
    """How many seeds are behind some means: "5 seeds", "4 to 5 seeds"; nothing where none is known."""
    counts = sorted({int(number) for number in seeds if number == number})
    if not counts:
        return ""
    span = f"{counts[0]}" if len(counts) == 1 else f"{counts[0]} to {counts[-1]}"
    return f"{span} seed{'' if counts == [1] else 's'}"


def say(axes: "Axes", message: str) -> None:
    """Fills a panel that has nothing to draw with the reason."""
    axes.set_axis_off()
    axes.text(
        0.5, 0.5, textwrap.fill(message, 42), ha="center", va="center", color=FAINT, transform=axes.transAxes
    )


def header(figure: "Figure", title: str, group: Sequence[str], evidence: Sequence[str]) -> None:
    """Puts title, group and evidence above the panels."""
    width = int(figure.get_figwidth() * 11)
    lines = textwrap.wrap(" · ".join(group), width) or [""]
    figure.suptitle(
        "\n".join([title, *lines]), x=0.01, ha="left", fontsize=11.5, fontweight="bold", linespacing=1.4
    )
    words = " + ".join(evidence) if evidence else "no evidence"
    solid = list(evidence) == ["measured"]
    box = {"boxstyle": "round,pad=0.35", "edgecolor": INK, "facecolor": INK if solid else "white"}
    if not solid:
        box["linestyle"] = "--"
    # Level with the title's first line, and kept clear of the layout, which would make room for it.
    badge = figure.text(
        0.99,
        1 - _BADGE_TOP_IN / figure.get_figheight(),
        words,
        ha="right",
        va="top",
        fontsize=9,
        fontweight="bold",
        color="white" if solid else INK,
        bbox=box,
    )
    badge.set_in_layout(False)


def to_svg(figure: "Figure", title: str, description: str) -> bytes:
    """The figure as SVG; the same figure gives the same bytes."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG

    FigureCanvasSVG(figure)
    buffer = io.BytesIO()
    metadata = {"Date": None, "Creator": "burstlab", "Title": title, "Description": description}
    figure.savefig(buffer, format="svg", metadata=metadata)
    text = buffer.getvalue().decode()
    # Where DejaVu is missing a reader gets something as wide, not the browser's serif.
    stack = "'DejaVu Sans', Verdana, 'Helvetica Neue', Arial, sans-serif"
    return text.replace("'DejaVu Sans', sans-serif", stack).replace("'DejaVu Sans';", f"{stack};").encode()
