"""What the answer rests on: the load as given, and constants that are assumed. One is varied at a time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from burstlab.advice.compare import Comparison, compare
from burstlab.advice.engines import Engine, FittedEngine, RooflineEngine
from burstlab.advice.question import Question
from burstlab.simulator.costs.roofline.constants import CONSTANTS
from burstlab.statistics.interval import Interval


@dataclass(frozen=True)
class Range:
    """A constant is taken to lie between so many times its value and so many times; `why` in words."""

    low: float
    high: float
    why: str


_ORDER = "an order of magnitude: half to twice"
RANGES: dict[str, Range] = {
    "fa2.rereads": Range(0.25, 1.0, "a cache may serve up to three quarters of the repeated reads"),
    "fla.share": Range(0.5, 2.0, _ORDER),
    "gdn.recurrent_share": Range(0.25, 1.0, "a Triton kernel may reach a quarter of a copy's bandwidth"),
    "launch.eager": Range(0.5, 2.0, _ORDER),
    "launch.graph": Range(0.5, 2.0, _ORDER),
    "allreduce.latency": Range(0.5, 2.0, _ORDER),
    "pause.iteration": Range(0.25, 2.0, "a quarter, as under async scheduling, to twice"),
    "memory.workspace": Range(0.5, 2.0, _ORDER),
    "gemm.share": Range(0.7, 1.1, "measured for a large product; smaller ones reach less"),
    "hbm.share": Range(0.8, 1.05, "measured for copying; kernels may reach less"),
}
"""All constants of the roofline that are assumed, and two that were measured elsewhere."""

SEEDS = 2
"""Of constants. The first of the answer's own: the same draws are behind all ends, so their differences are clearer than each."""
LOAD_SEEDS = 3
LOAD_FACTORS = (0.8, 0.9, 1.0, 1.1, 1.2)
FITTED = "fitted durations"


@dataclass(frozen=True)
class Varied:
    """The change of mean TPOT when `what` is `factor` times as large."""

    what: str
    factor: float
    tpot: Interval


@dataclass(frozen=True)
class Swing:
    """What a constant does to the change of mean TPOT between the ends of its range; `usual` is the change at its value."""

    what: str
    unit: str
    value: float
    low: Varied
    high: Varied
    usual: Interval
    why: str

    @property
    def width(self) -> float:
        """From the least to the greatest of the three changes."""
        found = [one.estimate for one in (self.low.tpot, self.usual, self.high.tpot)]
        return max(found) - min(found)


def loads_off(engine: Engine, question: Question, as_given: Comparison) -> list[Varied]:
    """If the load is 10 or 20% off, and as it was given, all of the same seeds."""
    return [
        Varied("load", factor, _at_load(engine, question, factor, as_given).change("mean", "tpot"))
        for factor in LOAD_FACTORS
    ]


def _at_load(engine: Engine, question: Question, factor: float, as_given: Comparison) -> Comparison:
    if factor == 1:
        return as_given.first(LOAD_SEEDS)
    return compare(engine, question.at(question.rate_per_s * factor), LOAD_SEEDS)


def swings(engine: Engine, question: Question, usual: Interval, memory_used: float = 1.0) -> list[Swing]:
    """Of each constant in `RANGES` that the engine uses, or of the fit's error; the widest first.

    `usual` is the change without, of the same seeds. `memory_used` is the largest share of memory that the answer's own runs
    used: what changes the rest of it alone is left out.
    """
    if isinstance(engine, RooflineEngine):
        found = list(_of_constants(engine, question, usual, memory_used))
    elif isinstance(engine, FittedEngine):
        found = [_of_fit(engine, question, usual)]
    else:
        found = []
    return sorted(found, key=lambda swing: -swing.width)


def _of_constants(
    engine: RooflineEngine, question: Question, usual: Interval, memory_used: float
) -> Iterator[Swing]:
    probed, needed = engine.probe(), memory_used * engine.kv_tokens()
    for name, span in RANGES.items():
        ends = {factor: engine.with_factors({name: factor}) for factor in (span.low, span.high)}
        if all(one.probe() == probed and one.kv_tokens() >= needed for one in ends.values()):
            continue
        low, high = (
            Varied(name, factor, usual if factor == 1 else _tpot(one, question))
            for factor, one in ends.items()
        )
        constant = CONSTANTS[name]
        yield Swing(name, constant.unit, constant.value, low, high, usual, span.why)


def _of_fit(engine: FittedEngine, question: Question, usual: Interval) -> Swing:
    error = max(engine.sum_error, 0.01)
    low, high = (
        Varied(FITTED, factor, _tpot(replace(engine, scale=factor), question))
        for factor in (1 - error, 1 + error)
    )
    why = "the largest error of the sum of durations in a part of the cells that was left out of the fit"
    return Swing(FITTED, "times", 1.0, low, high, usual, why)


def _tpot(engine: Engine, question: Question) -> Interval:
    return compare(engine, question, SEEDS).change("mean", "tpot")
