"""The study's tables of profiled runs: what each kind of iteration's time went to, and the interference index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_bytes
from burstlab.profiles.breakdown import Breakdown, breakdown
from burstlab.profiles.interference import WHOLE, Per, interference
from burstlab.profiles.profile import Profile
from burstlab.profiles.store import read_iterations, read_launches
from burstlab.records.cell_record import KERNELS, PROFILED_ITERATIONS, RECORD, check_folder, read_record
from burstlab.records.parquet import write_parquet
from burstlab.tables.cells_table import IDENTITY, Row, identity_row
from burstlab.wording import count

INTERFERENCE = "interference"
BREAKDOWN = "breakdown"
# A row a run, a part of the iteration and what costs are counted by.
INTERFERENCE_SCHEMA = pa.schema(
    [
        *IDENTITY,
        pa.field("per", pa.string(), nullable=False),
        pa.field("part", pa.string(), nullable=False),
        pa.field("mixed_us", pa.float64()),
        pa.field("decode_only_us", pa.float64()),
        pa.field("index", pa.float64()),
        pa.field("low", pa.float64()),
        pa.field("high", pa.float64()),
        pa.field("blocks", pa.int64()),
        pa.field("why", pa.string()),
    ]
)
# A row a run, a kind of iteration and a part of its time.
BREAKDOWN_SCHEMA = pa.schema(
    [
        *IDENTITY,
        pa.field("kind", pa.string(), nullable=False),
        pa.field("part", pa.string(), nullable=False),
        pa.field("time_us", pa.float64(), nullable=False),
        pa.field("iterations", pa.int64(), nullable=False),
        pa.field("context_tokens", pa.int64(), nullable=False),
        pa.field("generation_tokens", pa.int64(), nullable=False),
    ]
)


def run_tables_from_workflow(records: Sequence[Path], folder: Path, log: Path) -> None:
    """The workflow's job: `build_run_tables`, with a log, and SystemExit with one message when it fails."""
    with log.open("w") as sink:
        try:
            build_run_tables(records, folder)
            print(f"tables of {count(len(records), 'profiled run')}", file=sink)
        except BurstlabError as error:
            print(error, file=sink)
            raise SystemExit(str(error)) from None


def build_run_tables(records: Sequence[Path], folder: Path) -> None:
    """Write both tables of the profiled runs with these `cell.json` into `folder`, as Parquet and as CSV.

    Rows are in order of the runs' identities. One run's launches are in memory at a time. Raises BurstlabError when a record or a
    file is damaged, or a run has no profile.
    """
    costs: list[Row] = []
    times: list[Row] = []
    for path in sorted(records):
        record = check_folder(path.parent, read_record(path).cell.cell())
        missing = {KERNELS, PROFILED_ITERATIONS} - set(record.files)
        if missing:
            raise BurstlabError(f"{path}: a profiled run has {' and '.join(sorted(missing))} too")
        run, found = identity_row(record), _breakdown(path.parent)
        costs += [{**run, **row} for row in _costs(found)]
        times += [{**run, **row} for row in _times(found)]
    _write(folder / INTERFERENCE, costs, INTERFERENCE_SCHEMA)
    _write(folder / BREAKDOWN, times, BREAKDOWN_SCHEMA)


def _breakdown(folder: Path) -> Breakdown:
    launches = read_launches(folder / KERNELS)
    profile = Profile(folder / RECORD, launches, read_iterations(folder / PROFILED_ITERATIONS))
    found = breakdown(profile)
    # Data-parallel replicas are processes: the first stands for the others.
    return found.of_process(pc.min(found.iterations["process"]).as_py())


def _costs(found: Breakdown) -> Iterator[Row]:
    per: Per
    for per in ("token", "iteration"):
        try:
            indices = interference(found, per)
        except BurstlabError as error:  # a kind of iteration did not occur
            yield {"per": per, "part": WHOLE, "why": str(error)}
            continue
        for one in indices:
            known = one.interval
            yield {
                "per": per,
                "part": one.part,
                "mixed_us": one.mixed_us,
                "decode_only_us": one.decode_only_us,
                "index": None if known is None else known.estimate,
                "low": None if known is None else known.low,
                "high": None if known is None else known.high,
                "blocks": None if known is None else known.units,
                "why": one.why,
            }


def _times(found: Breakdown) -> Iterator[Row]:
    kinds = np.array(found.iterations["kind"].to_pylist(), dtype=str)
    for kind in np.unique(kinds).tolist():
        chosen = kinds == kind
        iterations = found.iterations.filter(pa.array(chosen))
        counts = {
            "iterations": iterations.num_rows,
            "context_tokens": pc.sum(iterations["context_tokens"]).as_py(),
            "generation_tokens": pc.sum(iterations["generation_tokens"]).as_py(),
        }
        for part, time_us in zip(found.parts, found.time_us[chosen].sum(axis=0).tolist(), strict=True):
            if time_us:
                yield {"kind": kind, "part": part, "time_us": time_us, **counts}


def _write(path: Path, rows: list[Row], schema: pa.Schema) -> None:
    table = pa.Table.from_pylist(rows, schema=schema)
    write_parquet(path.with_suffix(".parquet"), table)
    text = pa.BufferOutputStream()
    pyarrow.csv.write_csv(table, text)
    atomic_write_bytes(path.with_suffix(".csv"), text.getvalue().to_pybytes())
