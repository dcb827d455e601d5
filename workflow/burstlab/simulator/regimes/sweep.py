"""The sweep behind the regime map: what b = 0.1 changes against b = 1, at each load and each setting of the knob."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from burstlab.simulator.outcome import Outcome
from burstlab.simulator.regimes.setup import FAMILIES, Setup
from burstlab.statistics.interval import Interval
from burstlab.statistics.pairing import paired_values
from burstlab.statistics.relative_change import relative_change
from burstlab.statistics.student import mean_interval

STEADY, BURSTY = 1.0, 0.1
EVIDENCE = "simulated"

SCHEMA = pa.schema(
    [
        pa.field("family", pa.string(), nullable=False),
        pa.field("knob", pa.float64(), nullable=False),
        pa.field("load", pa.float64(), nullable=False),
        pa.field("rate_req_s", pa.float64(), nullable=False),
        pa.field("capacity_req_s", pa.float64(), nullable=False),
        pa.field("ratio", pa.float64()),
        *(
            pa.field(f"{name}{part}", pa.float64())
            for name in ("tpot_change", "e2el_change", "share_change")
            for part in ("", "_low", "_high")
        ),
        pa.field("seeds", pa.int64(), nullable=False),
        pa.field("steady_burstiness", pa.float64(), nullable=False),
        pa.field("bursty_burstiness", pa.float64(), nullable=False),
        pa.field("evidence", pa.string(), nullable=False),
    ]
)
"""A row a point. `knob` is the factor of `family.Scaled`; `load` the rate over `capacity_req_s`; `ratio` the mean duration of a
mixed over that of a decode-only iteration under the steady arrivals; changes of mean TPOT and E2EL are relative, that of the
decode-only share of tokens is a difference; each has its 95% interval over paired seeds."""


@dataclass(frozen=True)
class Grid:
    """Which points are simulated; `steady` and `bursty` are the burstinesses that are compared."""

    knobs: Mapping[str, Sequence[float]] = field(
        default_factory=lambda: {
            "decodes": (1, 1.5, 2, 3, 5, 8),
            "prompts": (1, 2, 4, 8, 16, 32),
        }
    )
    loads: Sequence[float] = (0.1, 0.25, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    seeds: int = 5
    steady: float = STEADY
    bursty: float = BURSTY


def sweep(setup: Setup | None = None, grid: Grid | None = None) -> pa.Table:
    """The table of `SCHEMA`: the same arguments give the same rows."""
    setup, grid = setup or Setup(), grid or Grid()
    rows = [
        row for family in FAMILIES for knob in grid.knobs[family] for row in _rows(setup, grid, family, knob)
    ]
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def _rows(setup: Setup, grid: Grid, family: str, knob: float) -> Iterator[dict[str, Any]]:
    costs = setup.costs(family, knob)
    capacity_per_s = setup.capacity_per_s(costs)
    for load in grid.loads:
        rate_per_s = load * capacity_per_s
        steady, bursty = (
            {seed: setup.run(costs, rate_per_s, burstiness, seed) for seed in range(grid.seeds)}
            for burstiness in (grid.steady, grid.bursty)
        )
        ratio = relative_change(
            {seed: one.decode_only.mean_ms for seed, one in steady.items()},
            {seed: one.mixed.mean_ms for seed, one in steady.items()},
        )
        yield {
            "family": family,
            "knob": float(knob),
            "load": float(load),
            "rate_req_s": rate_per_s,
            "capacity_req_s": capacity_per_s,
            "ratio": 1 + ratio.estimate if ratio else None,
            **_named("tpot_change", _relative(steady, bursty, "tpot")),
            **_named("e2el_change", _relative(steady, bursty, "e2el")),
            **_named("share_change", _share(steady, bursty)),
            "seeds": grid.seeds,
            "steady_burstiness": grid.steady,
            "bursty_burstiness": grid.bursty,
            "evidence": EVIDENCE,
        }


def _relative(steady: Mapping[int, Outcome], bursty: Mapping[int, Outcome], metric: str) -> Interval | None:
    before, after = ({seed: one.mean_ms[metric] for seed, one in side.items()} for side in (steady, bursty))
    return relative_change(before, after)


def _share(steady: Mapping[int, Outcome], bursty: Mapping[int, Outcome]) -> Interval | None:
    sides = ({seed: one.decode_only.token_share for seed, one in side.items()} for side in (steady, bursty))
    before, after = paired_values(*sides)
    return mean_interval(after - before)


def _named(name: str, found: Interval | None) -> dict[str, float | None]:
    if found is None:
        return {name: None, f"{name}_low": None, f"{name}_high": None}
    return {name: found.estimate, f"{name}_low": found.low, f"{name}_high": found.high}
