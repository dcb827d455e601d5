"""A row a predicted cell, split and metric: measured, simulated, and the error."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from burstlab.files import atomic_write_bytes
from burstlab.records.summary import METRICS, Value
from burstlab.simulator.validation.goals import COMPARED, LOADS, Compared

NAME = "validation"
_UNITS = {metric.name: metric.unit for metric in METRICS}
_CELL = (
    "cell",
    "platform",
    "model",
    "engine",
    "workload",
    "rate",
    "arrivals",
    "burstiness",
    "cv",
    "seed",
    "load",
)
_TEXT = ("cell", "platform", "model", "engine", "workload", "arrivals")

SCHEMA = pa.schema(
    [
        *(
            pa.field(name, pa.string() if name in _TEXT else pa.int64() if name == "seed" else pa.float64())
            for name in _CELL
        ),
        # Of the prediction, and of what it is held against.
        pa.field("evidence", pa.string(), nullable=False),
        pa.field("held_against", pa.string(), nullable=False),
        pa.field("split", pa.string(), nullable=False),
        pa.field("fitted_on", pa.string(), nullable=False),
        pa.field("fitted_cells", pa.int64(), nullable=False),
        pa.field("metric", pa.string(), nullable=False),
        pa.field("unit", pa.string(), nullable=False),
        pa.field("measured", pa.float64(), nullable=False),
        pa.field("simulated", pa.float64(), nullable=False),
        # simulated/measured − 1, or of a share the difference.
        pa.field("error", pa.float64(), nullable=False),
        pa.field("goal", pa.float64()),
        # Null where no goal was set, or the load is not one that goals are for.
        pa.field("within_goal", pa.bool_()),
        # The cell's iterations over what the fit says of them, all together, and the error of a machine that fast.
        pa.field("own_speed", pa.float64(), nullable=False),
        pa.field("error_at_own_speed", pa.float64(), nullable=False),
    ]
)

Row = dict[str, Any]


def cell_rows(
    cell: Row, about: Row, simulated: dict[str, Value], at_own_speed: dict[str, Value], own_speed: float
) -> Iterator[Row]:
    """The rows of one cell, a row of the table of cells; `about` are the columns that tell the split.

    A metric that the cell or its prediction lacks has no row.
    """
    asked = cell["load"] is not None and LOADS[0] <= cell["load"] <= LOADS[1]
    for one in COMPARED:
        values = [found.get(one.metric) for found in (cell, simulated, at_own_speed)]
        if None in values or (values[0] == 0 and not one.share):
            continue
        measured, predicted, scaled = (float(value) for value in values if value is not None)
        error = one.error(predicted, measured)
        yield {
            **{name: cell[name] for name in _CELL},
            "evidence": "simulated",
            "held_against": cell["evidence"],
            **about,
            "metric": one.metric,
            "unit": _UNITS[one.metric],
            "measured": measured,
            "simulated": predicted,
            "error": error,
            "goal": one.goal,
            "within_goal": _within(one, error) if asked else None,
            "own_speed": own_speed,
            "error_at_own_speed": one.error(scaled, measured),
        }


def _within(one: Compared, error: float) -> bool | None:
    return None if one.goal is None else abs(error) <= one.goal


def write_table(rows: Sequence[Row], folder: Path) -> None:
    """Write `validation.parquet` and `validation.csv` into `folder`."""
    table = pa.Table.from_pylist(list(rows), schema=SCHEMA)
    binary, text = io.BytesIO(), io.BytesIO()
    pq.write_table(table, binary, compression="zstd")
    pa.csv.write_csv(table, text)
    atomic_write_bytes(folder / f"{NAME}.parquet", binary.getvalue())
    atomic_write_bytes(folder / f"{NAME}.csv", text.getvalue())
