"""The figures by name. Light: the workflow reads it at every start, so it imports no drawing library."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

Group = tuple[str, str, str, str]
"""platform, model, engine, workload"""


@dataclass(frozen=True, slots=True)
class FigureKind:
    """One kind of figure.

    `tables` are the study tables it reads, `claims` the ids of the published claims it speaks to. One `of_profiles` is
    drawn of groups that have profiled runs, and shows no performance.
    """

    name: str
    label: str
    title: str
    caption: str
    tables: tuple[str, ...]
    claims: tuple[str, ...]
    of_profiles: bool = False

    def module(self) -> ModuleType:
        """The module that gathers and draws it."""
        return import_module(f"burstlab.figures.{self.name.lower()}")


FIGURES: tuple[FigureKind, ...] = (
    FigureKind(
        name="fig1",
        label="Figure 1",
        title="Latency against the burstiness of arrivals",
        caption="Median and 90th percentile of time per output token (TPOT), end-to-end latency (E2EL) and "
        "time to first token (TTFT) of a cell's requests, against the coefficient of variation (CV) of the "
        "gaps between arrivals; a higher CV is burstier.",
        tables=("cells",),
        claims=("B1", "B2", "B15"),
    ),
    FigureKind(
        name="fig2",
        label="Figure 2",
        title="Distribution of time per output token",
        caption="Time per output token of single requests, pooled over seeds: cumulative share (left) and "
        "share in each bin (right), one row a request rate.",
        tables=("cells", "requests"),
        claims=("B1", "B2"),
    ),
    FigureKind(
        name="fig3",
        label="Figure 3",
        title="Tokens generated in decode-only iterations",
        caption="Share of a cell's generated tokens that came from iterations that processed no prompt.",
        tables=("cells",),
        claims=("B3", "B4", "B6"),
    ),
    FigureKind(
        name="fig4",
        label="Figure 4",
        title="Size and composition of mixed batches",
        caption="Mean number of prompt (context) and generated tokens in an iteration that has both.",
        tables=("cells", "iterations"),
        claims=("B7",),
    ),
    FigureKind(
        name="figA1",
        label="Figure A1",
        title="Iteration time against decode and prefill tokens",
        caption="Elapsed time of engine iterations, and the least-squares fit "
        "elapsed = a + d · generation (decode) tokens + p · context (prefill) tokens. Left and centre: the fit with the other "
        "kind of token at 0. Right: what the fit expects against what was seen; a perfect fit would put all "
        "points on the dashed line.",
        tables=("cells", "iterations"),
        claims=("B17",),
    ),
    FigureKind(
        name="figB5",
        label="Figure B5",
        title="Expected token interval against the requests' TPOT",
        caption="Each point is a cell. The expected interval is the sum over the kinds of iteration of the "
        "share of tokens generated in that kind times the mean duration of that kind. On the dashed line "
        "both agree.",
        tables=("cells",),
        claims=("B5",),
    ),
    FigureKind(
        name="fig5",
        label="Figure 5",
        title="Attention in decode-only and in mixed iterations",
        caption="Time in attention kernels for each decode token (left) and for each iteration (right), in profiled runs, where "
        "recording slows everything down. In mixed iterations it holds the prompts' own attention too.",
        tables=("interference",),
        claims=("B8", "B10", "B11"),
        of_profiles=True,
    ),
    FigureKind(
        name="figK",
        label="Figure K",
        title="What an iteration's time goes to",
        caption="Mean time of an iteration by what it went to, for each kind of iteration, in profiled runs, where recording "
        "slows everything down. Overhead is the time in which nothing that was recorded ran.",
        tables=("breakdown",),
        claims=("B8",),
        of_profiles=True,
    ),
)

# What every group has, as profiled runs are rare.
CELL_FIGURES: tuple[FigureKind, ...] = tuple(kind for kind in FIGURES if not kind.of_profiles)

BY_NAME: dict[str, FigureKind] = {kind.name: kind for kind in FIGURES}


def group_slug(group: Sequence[str]) -> str:
    """The file name of a group's figures, without its suffix."""
    return "--".join(group)
