"""Changing one thing in a cell's evidence."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from burstlab.records.observed import GpuState
from burstlab.validity.evidence import Evidence


def asking(evidence: Evidence, section: str, **keys: Any) -> Evidence:
    """Another wish in one section of the specification."""
    changed = {**evidence.specification[section], **keys}
    return replace(evidence, specification={**evidence.specification, section: changed})


def reporting(evidence: Evidence, **keys: str | None) -> Evidence:
    """Another word of the engine; None removes it."""
    merged = {**evidence.engine_reported, **keys}
    return replace(
        evidence, engine_reported={key: value for key, value in merged.items() if value is not None}
    )


def observing(evidence: Evidence, part: str, **keys: Any) -> Evidence:
    """Other figures in one part of what was observed."""
    assert evidence.observed is not None
    changed = getattr(evidence.observed, part).model_copy(update=keys)
    return replace(evidence, observed=evidence.observed.model_copy(update={part: changed}))


def on_gpu(evidence: Evidence, throttled: dict[str, float] | None, others: int | None) -> Evidence:
    """The cell on a GPU platform, whose one GPU was throttled for these shares of the samples; None: it told none."""
    assert evidence.observed is not None
    state = GpuState(
        gpu="GPU-a",
        samples=20,
        sm_clock_max_mhz=1980.0,
        sm_clock_median_mhz=1980.0,
        sm_clock_lowest_mhz=1200.0,
        temperature_highest_c=70.0,
        throttle_shares=throttled,
    )
    observed = evidence.observed.model_copy(update={"gpus": (state,), "other_gpu_processes": others})
    return replace(asking(evidence, "platform", kind="cuda"), observed=observed)


def column(evidence: Evidence, name: str, change: Callable[[np.ndarray], np.ndarray]) -> Evidence:
    """Another column in the table of requests."""
    table = evidence.requests
    index = table.schema.get_field_index(name)
    values = pa.array(change(table[name].to_numpy().copy()), table.schema.field(index).type)
    return replace(evidence, requests=table.set_column(index, table.schema.field(index), values))


def with_error(evidence: Evidence) -> Evidence:
    """The first request failed."""
    table = evidence.requests
    index = table.schema.get_field_index("error")
    errors = pa.array(["Bad gateway"] + [None] * (table.num_rows - 1), pa.string())
    return replace(evidence, requests=table.set_column(index, table.schema.field(index), errors))


def without_lines(evidence: Evidence, lines: int) -> Evidence:
    """So many of the last iterations never reached the log."""
    return replace(evidence, iterations=evidence.iterations.slice(0, evidence.iterations.num_rows - lines))
