"""The workflow's job that simulates the background of the regime map."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from burstlab.files import atomic_write_bytes
from burstlab.simulator.regimes.sweep import sweep

TABLE, TEXT = "regimes.parquet", "regimes.csv"


def regimes_from_workflow(folder: Path, log: Path) -> None:
    """Write the sweep into `folder`."""
    write_regimes(folder, sweep())
    log.write_text(f"simulated the regime map: {folder / TABLE}\n")


def write_regimes(folder: Path, table: pa.Table) -> None:
    """Write a sweep into `folder`, as Parquet and as text."""
    data, text = io.BytesIO(), io.BytesIO()
    pq.write_table(table, data, compression="zstd")
    pyarrow.csv.write_csv(table, text)
    atomic_write_bytes(folder / TABLE, data.getvalue())
    atomic_write_bytes(folder / TEXT, text.getvalue())
