"""What mixing costs an engine, by exact batches and by profiled runs: why its mixed iterations are dear."""

from __future__ import annotations

from dataclasses import dataclass

import pandas as pd

from burstlab.exact_batches.effects import TWICE, effects
from burstlab.figures.profiled_runs import index_of, that_count
from burstlab.figures.tables import Tables
from burstlab.simulator.regimes.setup import DECODES, PROMPTS
from burstlab.statistics.interval import Interval

MORE_THAN = 0.1
"""Of an iteration of decodes: what is spared counts from here on."""
WHOLE = "forward"

Engine = tuple[str, str, str]
"""Platform, model and engine."""
Run = tuple[str, str, str, str, float, float]
"""The same, workload, rate and burstiness."""


@dataclass(frozen=True, slots=True)
class Spared:
    """What a burst spares that brings two prompts at once, of an iteration of decodes: an interval for each shape of batch."""

    intervals: tuple[Interval, ...]

    @property
    def low(self) -> float:
        """The lowest bound."""
        return min(one.low for one in self.intervals)

    @property
    def high(self) -> float:
        """The highest bound."""
        return max(one.high for one in self.intervals)

    @property
    def cause(self) -> str | None:
        """Why mixed iterations are dear: decodes cost more beside prompts, in some batch at least, or prompts take long.

        None where intervals are too wide to tell: that nothing is known to be spared does not say that nothing is.
        """
        if any(one.low > MORE_THAN for one in self.intervals):
            return DECODES
        return PROMPTS if self.high <= MORE_THAN else None


def spared_by(tables: Tables) -> dict[Engine, Spared]:
    """That of each engine which has exact batches that nothing disturbed."""
    if not tables.has("exact_batches"):
        return {}
    found: dict[Engine, list[Interval]] = {}
    for effect in effects(tables.of_study("exact_batches")):
        if effect.disturbed or effect.interval is None:
            continue
        if (effect.name, effect.part) == (TWICE, WHOLE):
            platform, model, engine = (str(effect.keys[name]) for name in ("platform", "model", "engine"))
            found.setdefault((platform, model, engine), []).append(effect.interval)
    return {engine: Spared(tuple(intervals)) for engine, intervals in found.items()}


def indices(tables: Tables) -> dict[Run, Interval]:
    """The interference index for each decode token, of whole iterations, of each group of profiled runs that has one."""
    if not tables.has("interference"):
        return {}
    rows = that_count(tables.of_study("interference"))
    chosen = rows[(rows["per"] == "token") & (rows["part"] == "iteration") & rows["index"].notna()]
    found: dict[Run, Interval] = {}
    for keys, runs in chosen.groupby(_RUN, sort=True):
        interval = index_of(pd.DataFrame(runs))
        if interval is not None:
            platform, model, engine, workload, rate, burstiness = map(str, keys)
            found[platform, model, engine, workload, float(rate), float(burstiness)] = interval
    return found


_RUN = ["platform", "model", "engine", "workload", "rate", "burstiness"]
