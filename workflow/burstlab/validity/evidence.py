"""What gates judge: a cell's record without its verdicts, and its two tables."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import pyarrow as pa

from burstlab.records.observed import CpuTime, EngineCounters, Observed
from burstlab.records.schema import CellRecord, LogLines
from burstlab.study.cells import Cell


def asked_for(specification: Mapping[str, Any], section: str, key: str) -> Any:
    """What a specification says under `section` and `key`; None where it says nothing."""
    part = specification.get(section)
    return part.get(key) if isinstance(part, Mapping) else None


def has_gpu(specification: Mapping[str, Any]) -> bool | None:
    """Whether the platform of a specification has GPUs, simulated ones too; None where it does not say."""
    kind = asked_for(specification, "platform", "kind")
    return None if kind is None else bool(kind != "cpu")


@dataclass(frozen=True)
class Evidence:
    """All a gate may look at. Arrays have an item a request that was sent, in the order of the plan."""

    cell: Cell
    evidence: str
    specification: Mapping[str, Any]
    engine_reported: Mapping[str, Any]
    log_lines: LogLines
    observed: Observed | None
    requests: pa.Table
    iterations: pa.Table

    @classmethod
    def of(cls, record: CellRecord, requests: pa.Table, iterations: pa.Table) -> Evidence:
        """The evidence in a record and its tables."""
        return cls(
            cell=record.cell.cell(),
            evidence=record.evidence,
            specification=record.specification,
            engine_reported=record.engine_reported,
            log_lines=record.log_lines,
            observed=record.observed,
            requests=requests,
            iterations=iterations,
        )

    def asked(self, section: str, key: str) -> Any:
        """What the specification says under `section` and `key`; None where it says nothing, as of imported cells."""
        return asked_for(self.specification, section, key)

    @property
    def asking_known(self) -> bool:
        """Whether it is known how the engine was started: else a key that is missing was not left open, but is unknown."""
        return isinstance(self.specification.get("engine"), Mapping)

    def reported(self, key: str) -> str | None:
        """What the engine's log said of a setting; None where it said nothing."""
        value = self.engine_reported.get(key)
        return None if value is None else str(value)

    @property
    def counters(self) -> EngineCounters | None:
        """What the engine counted."""
        return None if self.observed is None else self.observed.engine

    @property
    def cpu(self) -> CpuTime | None:
        """CPU time around the benchmark."""
        return None if self.observed is None else self.observed.cpu

    @property
    def on_gpu(self) -> bool | None:
        """Whether the platform has GPUs; None where nobody says, as of imported cells."""
        return has_gpu(self.specification)

    @property
    def all_at_once(self) -> bool:
        """Whether all requests were sent at once, to find the capacity."""
        return math.isinf(self.cell.rate)

    @cached_property
    def sent(self) -> pa.Table:
        """Requests that were sent."""
        return self.requests.filter(self.requests["send_s"].is_valid())

    @cached_property
    def send_s(self) -> np.ndarray:
        """When each was sent."""
        return np.asarray(self.sent["send_s"].to_numpy(), dtype=float)

    @cached_property
    def planned_send_s(self) -> np.ndarray:
        """When each was to be sent; NaN where nobody knows."""
        return np.asarray(self.sent["planned_send_s"].to_numpy(), dtype=float)

    @property
    def plan_known(self) -> bool:
        """Whether there are requests and a plan to hold them against."""
        return self.send_s.size > 0 and bool(np.isfinite(self.planned_send_s).all())

    @cached_property
    def failed(self) -> int:
        """How many requests failed."""
        return int(self.requests.num_rows - self.requests["error"].null_count)
