"""Runs under both kinds of arrivals, seed by seed, and what changes between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

from burstlab.advice.engines import Engine
from burstlab.advice.question import Question
from burstlab.simulator.outcome import Outcome, outcome
from burstlab.statistics.interval import Interval
from burstlab.statistics.relative_change import relative_change

STATISTICS = ("median", "mean")


@dataclass(frozen=True)
class Comparison:
    """Outcomes by seed."""

    steady: Mapping[int, Outcome]
    bursty: Mapping[int, Outcome]

    def first(self, seeds: int) -> Self:
        """Of the first so many seeds."""
        return type(self)(
            *({seed: side[seed] for seed in sorted(side)[:seeds]} for side in (self.steady, self.bursty))
        )

    def change(self, statistic: str, metric: str) -> Interval:
        """The relative change of `median` or `mean` of `tpot`, `e2el` or `ttft`, with its 95% interval over paired seeds.

        Where nothing is known, as of TPOT if all outputs have one token, the interval is all there can be.
        """
        before, after = (values(side, statistic, metric) for side in (self.steady, self.bursty))
        return relative_change(before, after) or Interval(0.0, -1.0, float("inf"), 0, "no value")


def values(side: Mapping[int, Outcome], statistic: str, metric: str) -> dict[int, float]:
    """By seed, in ms."""
    return {
        seed: (one.median_ms if statistic == "median" else one.mean_ms)[metric] for seed, one in side.items()
    }


def compare(engine: Engine, question: Question, seeds: int | None = None) -> Comparison:
    """Simulate both sides for each of the question's seeds, or for the first so many."""
    steady, bursty = (
        {
            seed: outcome(engine.simulate(question.sent(burstiness, seed)))
            for seed in range(seeds or question.seeds)
        }
        for burstiness in (question.steady, question.bursty)
    )
    return Comparison(steady, bursty)


def capacity_per_s(engine: Engine, question: Question) -> float:
    """Requests served a second when all are sent at once: the study's definition."""
    return outcome(engine.simulate(question.all_at_once())).served_per_s


def told(change: Interval) -> int:
    """−1 if all of the interval lies below 0, 1 if all of it lies above, else 0."""
    return int(change.low > 0) - int(change.high < 0)
