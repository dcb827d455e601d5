"""The whole answer: the change, its uncertainty, its mechanism, and how it changes with the load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from burstlab.advice.compare import STATISTICS, Comparison, capacity_per_s, compare, told
from burstlab.advice.engines import Engine, FittedEngine
from burstlab.advice.loads import AtLoad, Turn, sweep, turns
from burstlab.advice.mechanism import Mechanism, mechanism
from burstlab.advice.question import Question
from burstlab.advice.sensitivity import SEEDS, Swing, Varied, loads_off, swings
from burstlab.simulator.outcome import METRICS, Outcome
from burstlab.statistics.interval import Interval

HELPS, HURTS, BOTH, UNTOLD = "helps", "hurts", "helps some and hurts some", "not told"
EVIDENCE = "simulated"


@dataclass(frozen=True)
class Latency:
    """A statistic of a metric: means over seeds in ms on both sides, and the relative change."""

    statistic: str
    metric: str
    steady_ms: float
    bursty_ms: float
    change: Interval


@dataclass(frozen=True)
class Answer:
    """What is said to a question; all of it is `simulated`.

    `load` is the rate over `capacity_per_s`; `as_assumed` the change of mean TPOT of the seeds that `swings` are of.
    `beyond_measured` is the largest batch that was simulated over the largest that costs were fitted to, None where they were
    fitted to nothing.
    """

    engine: str
    question: Question
    capacity_per_s: float
    latencies: Sequence[Latency]
    mechanism: Mechanism
    loads_off: Sequence[Varied]
    as_assumed: Interval
    swings: Sequence[Swing]
    loads: Sequence[AtLoad]
    beyond_measured: float | None

    @property
    def load(self) -> float:
        """Share of the capacity."""
        return self.question.rate_per_s / self.capacity_per_s

    @property
    def turns(self) -> list[Turn]:
        """Where the change of mean TPOT turns round, between the rates of `loads` and the one that was asked for."""
        changes = (self.latency("mean", metric).change for metric in ("tpot", "e2el"))
        asked = AtLoad(self.load, self.question.rate_per_s, *changes)
        return turns(sorted([*self.loads, asked], key=lambda row: row.rate_per_s))

    @property
    def verdict(self) -> str:
        """Whether burstiness helps: by the mean TPOT and the mean E2EL, each as far as its interval tells."""
        signs = {told(self.latency("mean", metric).change) for metric in ("tpot", "e2el")} - {0}
        if len(signs) == 2:
            return BOTH
        return {-1: HELPS, 1: HURTS, 0: UNTOLD}[signs.pop() if signs else 0]

    def latency(self, statistic: str, metric: str) -> Latency:
        """One of the latencies."""
        return next(one for one in self.latencies if (one.statistic, one.metric) == (statistic, metric))


def answer(engine: Engine, question: Question) -> Answer:
    """Simulate all that is needed, which takes seconds."""
    capacity = capacity_per_s(engine, question)
    found = compare(engine, question)
    rows = sweep(engine, question, capacity)
    as_assumed = found.first(SEEDS).change("mean", "tpot")
    runs = [*found.steady.values(), *found.bursty.values()]
    return Answer(
        engine=engine.words(),
        question=question,
        capacity_per_s=capacity,
        latencies=[_latency(found, statistic, metric) for metric in METRICS for statistic in STATISTICS],
        mechanism=mechanism(found),
        loads_off=loads_off(engine, question, found),
        as_assumed=as_assumed,
        swings=swings(engine, question, as_assumed, max(one.memory_used for one in runs)),
        loads=rows,
        beyond_measured=_beyond(engine, runs),
    )


def _latency(found: Comparison, statistic: str, metric: str) -> Latency:
    sides = (found.steady, found.bursty)
    steady_ms, bursty_ms = (
        sum((one.median_ms if statistic == "median" else one.mean_ms)[metric] for one in side.values())
        / len(side)
        for side in sides
    )
    return Latency(statistic, metric, steady_ms, bursty_ms, found.change(statistic, metric))


def _beyond(engine: Engine, runs: Sequence[Outcome]) -> float | None:
    if not isinstance(engine, FittedEngine):
        return None
    return max(one.most_decodes for one in runs) / max(engine.largest_batch, 1)
