"""The table of cells: a row a cell, with its identity, whether it counts, its metrics, its load, and under what it ran."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from statistics import median
from typing import Any

import pyarrow as pa

from burstlab.records.schema import CellRecord
from burstlab.records.summary import METRICS
from burstlab.validity.conditions import Conditions

# Which cell a row is of, and whether it counts.
IDENTITY = pa.schema(
    [
        pa.field("cell", pa.string(), nullable=False),
        pa.field("platform", pa.string(), nullable=False),
        pa.field("model", pa.string(), nullable=False),
        pa.field("engine", pa.string(), nullable=False),
        pa.field("workload", pa.string(), nullable=False),
        pa.field("rate", pa.float64(), nullable=False),
        pa.field("arrivals", pa.string(), nullable=False),
        pa.field("burstiness", pa.float64()),
        pa.field("cv", pa.float64()),
        pa.field("seed", pa.int64(), nullable=False),
        pa.field("evidence", pa.string(), nullable=False),
        pa.field("counted", pa.bool_(), nullable=False),
        pa.field("failed_gates", pa.string(), nullable=False),
        pa.field("unjudged_gates", pa.string(), nullable=False),
    ]
)
# Under what it ran; null where nobody knows.
CONDITIONS = pa.schema(
    [
        pa.field("on_gpu", pa.bool_()),
        pa.field("vllm_version", pa.string()),
        pa.field("cudagraph_mode", pa.string()),
        pa.field("max_batched_tokens", pa.int64()),
        pa.field("max_sequences", pa.int64()),
    ]
)
_LOAD = pa.schema([pa.field("capacity_req_s", pa.float64()), pa.field("load", pa.float64())])

SCHEMA = pa.schema(
    [
        *IDENTITY,
        *(pa.field(metric.name, pa.int64() if metric.whole else pa.float64()) for metric in METRICS),
        *_LOAD,
        *CONDITIONS,
    ]
)

Row = dict[str, Any]


def cell_row(record: CellRecord) -> Row:
    """The row of one cell, without its load.

    What the engine ran under is null where nobody knows.
    """
    summary = record.summary
    return {
        **identity_row(record),
        **{metric.name: summary.get(metric.name) for metric in METRICS},
        **Conditions.of(record).columns(),
    }


def identity_row(record: CellRecord) -> Row:
    """The columns of `IDENTITY`.

    `arrivals` is `gamma` or `trace:<dataset>`; `cv` is that of the gaps as planned, which is 1/√burstiness
    for gamma gaps and follows from the timestamps for a trace. `unjudged_gates` lacked evidence: those that do not apply
    are not among them.
    """
    cell = record.cell
    trace = cell.arrivals.trace
    return {
        "cell": cell.cell().id,
        "platform": cell.platform,
        "model": cell.model,
        "engine": cell.engine,
        "workload": cell.workload,
        "rate": cell.rate,
        "arrivals": "gamma" if trace is None else f"trace:{trace}",
        "burstiness": cell.arrivals.burstiness,
        "cv": cell.cv if trace is None else record.summary.get("planned_cv"),
        "seed": cell.seed,
        "evidence": record.evidence,
        "counted": not record.failed_gates,
        "failed_gates": ",".join(record.failed_gates),
        "unjudged_gates": ",".join(record.unjudged_gates),
    }


def with_load(rows: Sequence[Row]) -> list[Row]:
    """The rows with `capacity_req_s` and `load` added.

    The capacity is the throughput of the cells that send all requests at once, with the same platform,
    model, engine, workload and evidence; the median if there are several that count. The load is rate /
    capacity; null where there is no capacity, and for those cells themselves.
    """
    found = _capacities(rows)
    result = []
    for row in rows:
        capacity = found.get(_group(row))
        load = row["rate"] / capacity if capacity and math.isfinite(row["rate"]) else None
        result.append({**row, "capacity_req_s": capacity, "load": load})
    return result


def _capacities(rows: Iterable[Row]) -> dict[tuple[str, ...], float]:
    throughputs: dict[tuple[str, ...], list[float]] = defaultdict(list)
    for row in rows:
        if math.isinf(row["rate"]) and row["counted"] and row["throughput_req_s"]:
            throughputs[_group(row)].append(row["throughput_req_s"])
    return {group: median(values) for group, values in throughputs.items()}


def _group(row: Row) -> tuple[str, ...]:
    return (row["platform"], row["model"], row["engine"], row["workload"], row["evidence"])
