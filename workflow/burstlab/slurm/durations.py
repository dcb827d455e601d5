"""How long cells and engine starts are expected to take: as measured where there are records, else by a cautious rule."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burstlab.study.cells import Cell
from burstlab.study.schema import Study

# Seconds, where nothing was measured. A start loads weights and captures graphs; warm-ups and the client's import come to it.
START_S = {"cuda": 900.0, "cpu": 240.0, "simulated": 0.0}
WARM_UP_S = 60.0
# A cell's time beyond its arrivals: prompts made, the last answers awaited, tables written.
OVERHEAD_S = 60.0
# A cell of rate inf takes as long as the engine's capacity has it, which nobody knows before: it is taken to be this, in
# requests/s, unless the study has slower rates of the same group.
UNKNOWN_CAPACITY_PER_S = 5.0
# Records read of one rate: they differ little, and a study has thousands.
SAMPLES = 3

Rate = tuple[tuple[str, str, str, str], float]


@dataclass
class Durations:
    """What to expect of one study, in seconds."""

    study: Study
    wall_s: dict[Rate, float] = field(default_factory=dict)
    start_s: dict[tuple[str, str, str], float] = field(default_factory=dict)
    slowest_per_s: dict[tuple[str, str, str, str], float] = field(default_factory=dict)

    def of_cell(self, cell: Cell) -> float:
        """From one cell's warm-up to its record."""
        known = self.wall_s.get((cell.group, cell.rate))
        return self._arrivals_s(cell) + self._overhead_s(cell) if known is None else known

    def of_start(self, cell: Cell) -> float:
        """From the job's start to the first cell."""
        engine = (cell.platform, cell.model, cell.engine)
        unknown = START_S[self.study.platforms[cell.platform].kind]
        return self.start_s.get(engine, unknown) + WARM_UP_S

    def _arrivals_s(self, cell: Cell) -> float:
        requests = self.study.workloads[cell.workload].requests
        slowest = self.slowest_per_s.get(cell.group, UNKNOWN_CAPACITY_PER_S)
        return requests / (slowest if math.isinf(cell.rate) else cell.rate)

    def _overhead_s(self, cell: Cell) -> float:
        requests = self.study.workloads[cell.workload].requests
        measured = [
            wall_s - requests / rate
            for (group, rate), wall_s in self.wall_s.items()
            if group == cell.group and not math.isinf(rate)
        ]
        return max([OVERHEAD_S, *measured])


def durations(study: Study, cells: Iterable[Cell], finished: Iterable[Cell], results: Path) -> Durations:
    """What to expect of `cells`, from the records of the `finished` ones among `results`."""
    found = Durations(study)
    for cell in cells:
        if not math.isinf(cell.rate):
            slowest = found.slowest_per_s.get(cell.group, math.inf)
            found.slowest_per_s[cell.group] = min(slowest, cell.rate)
    for cell in _some_of_each(finished):
        times = _times(results / "cells" / cell.id / "cell.json")
        engine = (cell.platform, cell.model, cell.engine)
        _raise(found.wall_s, (cell.group, cell.rate), times.get("cell_wall_s"))
        _raise(found.start_s, engine, times.get("engine_start_s"))
    return found


def _some_of_each(cells: Iterable[Cell]) -> list[Cell]:
    taken: dict[Rate, list[Cell]] = {}
    for cell in sorted(cells):
        of_rate = taken.setdefault((cell.group, cell.rate), [])
        if len(of_rate) < SAMPLES:
            of_rate.append(cell)
    return [cell for of_rate in taken.values() for cell in of_rate]


def _times(record: Path) -> Mapping[str, object]:
    try:
        times = json.loads(record.read_bytes())["times"]
    except (OSError, ValueError, KeyError, TypeError):
        return {}  # its verdict is another's business
    return times if isinstance(times, dict) else {}


def _raise(known: dict[Any, float], key: object, value: object) -> None:
    if isinstance(value, int | float) and value > known.get(key, 0.0):
        known[key] = float(value)
