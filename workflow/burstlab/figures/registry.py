"""The figures by name. Light: the workflow reads it at every start, so it imports no drawing library."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType

Group = tuple[str, str, str, str]
"""platform, model, engine, workload"""

PAIR = "+"
"""Between the names of two engines that a figure shows side by side; no engine's own name has it."""

WHOLE_STUDY = ("study",)
"""Stands for a group where a figure is of all of them."""


@dataclass(frozen=True, slots=True)
class FigureKind:
    """One kind of figure.

    `tables` are the study tables it reads, `more_tables` those that it reads where the study has them, `claims` the ids of the
    published claims it speaks to. One `of_profiles` is drawn of groups that have profiled runs, and shows no performance. One
    `of_study` is drawn once, of all groups. One `of_pairs` is drawn of pairs of engines that differ in their version of
    FlashAttention alone, one `of_batches` of a study that has exact batches.
    """

    name: str
    label: str
    title: str
    caption: str
    tables: tuple[str, ...]
    claims: tuple[str, ...]
    more_tables: tuple[str, ...] = ()
    of_profiles: bool = False
    of_study: bool = False
    of_pairs: bool = False
    of_batches: bool = False

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
        caption="Time in attention kernels for each decode token (left) and for each iteration (right), in profiled runs. "
        "In mixed iterations it holds the prompts' own attention too.",
        tables=("interference",),
        claims=("B8", "B10", "B11"),
        of_profiles=True,
    ),
    FigureKind(
        name="fig6",
        label="Figure 6",
        title="Attention under two versions of FlashAttention, and what bursts do",
        caption="Left: time in attention kernels for each decode token, in profiled runs. "
        "Right: how median latencies of the same engines, not profiled, change from steady to bursty arrivals.",
        tables=("interference", "cells"),
        claims=("B8", "B11", "B12", "B13"),
        of_profiles=True,
        of_pairs=True,
    ),
    FigureKind(
        name="figK",
        label="Figure K",
        title="What an iteration's time goes to",
        caption="Mean time of an iteration by what it went to, for each kind of iteration, in profiled runs. "
        "Overhead is the time in which nothing that was recorded, or is simulated, ran.",
        tables=("breakdown",),
        claims=("B8",),
        of_profiles=True,
    ),
    FigureKind(
        name="figT",
        label="Figure T",
        title="A burst, iteration by iteration",
        caption="Above, a tick for each request that was sent; below, a bar for each iteration, as wide as it took and as high "
        "as it has tokens, in a profiled run.",
        tables=("timeline",),
        claims=("B6", "B7"),
        of_profiles=True,
    ),
    FigureKind(
        name="figX",
        label="Figure X",
        title="Decodes beside a prompt, in batches of an exact make-up",
        caption="Each engine's model was given batches without any arrivals: decodes alone, a chunk of a prompt, both in one "
        "call, both in two calls, two chunks beside them, and the decodes padded to two tokens, which kernels for decodes do not "
        "take. Shown is what the decodes take beyond their time alone and the prompt's, and what is spared if two prompts come "
        "at once in place of one after the other.",
        tables=("exact_batches",),
        claims=("B8", "B10", "B11", "B14"),
        of_study=True,
        of_batches=True,
    ),
    FigureKind(
        name="figR",
        label="Figure R",
        title="The regime map: where bursts help",
        caption="Change of mean TPOT (top) and mean E2EL (bottom) from b=1 to b=0.1, against load and against how much "
        "longer a mixed iteration takes than a decode-only one under b=1. Background: a simulated sweep, in which mixed "
        "iterations are dear because decodes cost more beside prompts (left), or because prompts themselves take long (right). "
        "Exact batches say in which column an engine belongs: left if in one of them two prompts at once, in place of one after "
        "the other, are told to spare more than a tenth of an iteration of decodes, right if they are told to spare less in all; "
        "engines of which that is not known are in both.",
        tables=("cells", "regimes"),
        more_tables=("interference", "exact_batches"),
        claims=("B2", "B3", "B14"),
        of_study=True,
    ),
    FigureKind(
        name="figV",
        label="Figure V",
        title="How wrong the simulator is",
        caption="Errors of what the simulator predicts of measured cells from send times and lengths, once its costs and delays "
        "are fitted to other measured cells: simulated/measured − 1, and of the decode-only share the difference in points.",
        tables=("validation",),
        claims=(),
        of_study=True,
    ),
)

# What every group has, as profiled runs are rare.
CELL_FIGURES: tuple[FigureKind, ...] = tuple(
    kind for kind in FIGURES if not (kind.of_profiles or kind.of_study)
)
PROFILE_FIGURES: tuple[FigureKind, ...] = tuple(
    kind for kind in FIGURES if kind.of_profiles and not (kind.of_pairs or kind.of_study)
)
STUDY_FIGURES: tuple[FigureKind, ...] = tuple(kind for kind in FIGURES if kind.of_study)

BY_NAME: dict[str, FigureKind] = {kind.name: kind for kind in FIGURES}


def of_pair(group: Sequence[str]) -> list[Group]:
    """The groups of both engines of a pair; of any other group, itself."""
    platform, model, engine, workload = group
    return [(platform, model, one, workload) for one in engine.split(PAIR)]


def group_slug(group: Sequence[str]) -> str:
    """The file name of a group's figures, without its suffix."""
    return "--".join(group)
