"""How the answer changes with the load, and where it turns round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from burstlab.advice.compare import Comparison, compare, told
from burstlab.advice.engines import Engine
from burstlab.advice.question import Question
from burstlab.statistics.interval import Interval

LOADS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)
SEEDS = 3


@dataclass(frozen=True)
class AtLoad:
    """Changes of mean TPOT and E2EL at one load."""

    load: float
    rate_per_s: float
    tpot: Interval
    e2el: Interval


@dataclass(frozen=True)
class Turn:
    """Between two rates bursts stop helping and begin to hurt (`to` = 1), or the reverse (−1), as both ends tell."""

    low_per_s: float
    high_per_s: float
    to: int


def sweep(
    engine: Engine, question: Question, capacity_per_s: float, loads: Sequence[float] = LOADS
) -> list[AtLoad]:
    """The comparison at each share of the capacity, of fewer seeds than the answer itself."""
    rows = []
    for load in loads:
        found = compare(engine, question.at(load * capacity_per_s), SEEDS)
        rows.append(at_load(load, load * capacity_per_s, found))
    return rows


def at_load(load: float, rate_per_s: float, found: Comparison) -> AtLoad:
    """A comparison as a row."""
    return AtLoad(load, rate_per_s, found.change("mean", "tpot"), found.change("mean", "e2el"))


def turns(rows: Sequence[AtLoad], metric: str = "tpot") -> list[Turn]:
    """Where the change of mean `tpot` or `e2el` changes its sign, from one rate at which it is told to the next."""
    clear = [(row.rate_per_s, told(getattr(row, metric))) for row in rows if told(getattr(row, metric))]
    return [Turn(low, high, after) for (low, before), (high, after) in pairwise(clear) if before != after]
