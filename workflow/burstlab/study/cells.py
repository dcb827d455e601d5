"""Cells: one measurement each, with an identity that is also its path; and the sessions that run them."""

from __future__ import annotations

import math
from dataclasses import dataclass

GAMMA = "gamma"
TRACE = "trace"


@dataclass(frozen=True, slots=True, order=True)
class Arrivals:
    """How requests arrive: `gamma` gaps of shape `burstiness`, or the replay of the timestamps of a `trace`.

    `trace` is a name of the configuration's `datasets`.
    """

    kind: str
    burstiness: float | None = None
    trace: str | None = None

    @classmethod
    def gamma(cls, burstiness: float) -> Arrivals:
        """Gaps from a gamma distribution of shape `burstiness`; infinity means evenly spaced."""
        return cls(GAMMA, burstiness=burstiness)

    @classmethod
    def replay(cls, trace: str) -> Arrivals:
        """The timestamps of the dataset `trace`, rescaled to the cell's rate."""
        return cls(TRACE, trace=trace)

    @property
    def cv(self) -> float | None:
        """Coefficient of variation of the gaps, 1/√burstiness; None for a trace, whose gaps are given."""
        return None if self.burstiness is None else 1 / math.sqrt(self.burstiness)

    @property
    def slug(self) -> str:
        """The part of a cell's path: `burst-0.5`, `trace-azure-conv`."""
        return f"trace-{self.trace}" if self.burstiness is None else f"burst-{short(self.burstiness)}"


@dataclass(frozen=True, slots=True, order=True)
class Cell:
    """One measurement. `rate` is in requests per second; infinity sends all requests at once."""

    platform: str
    model: str
    engine: str
    workload: str
    rate: float
    arrivals: Arrivals
    seed: int

    @property
    def id(self) -> str:
        """The path below `results/cells/`: `cpu/tiny-gqa/eager/random-128-32/rate-10/burst-0.5/seed-0`."""
        arrivals = self.arrivals.slug
        return (
            f"{self.platform}/{self.model}/{self.engine}/{self.workload}"
            f"/rate-{short(self.rate)}/{arrivals}/seed-{self.seed}"
        )

    @property
    def group(self) -> tuple[str, str, str, str]:
        """Platform, model, engine and workload: what a figure compares bursts within."""
        return (self.platform, self.model, self.engine, self.workload)


@dataclass(frozen=True, slots=True)
class Session:
    """Cells that one engine start measures; `part` counts the sessions of one platform, model and engine."""

    platform: str
    model: str
    engine: str
    part: int
    cells: tuple[Cell, ...]

    @property
    def id(self) -> str:
        """Such as `cpu/tiny-gqa/eager/0`."""
        return f"{self.platform}/{self.model}/{self.engine}/{self.part}"


def short(number: float) -> str:
    """The shortest text that reads back as the same number: 10, 0.5, inf."""
    text = repr(float(number))
    return text.removesuffix(".0")
