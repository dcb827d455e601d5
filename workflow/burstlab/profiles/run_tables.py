"""The study's tables of profiled runs: where each kind of iteration's time went, the interference index, which kernels were
taken, and the course of each run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_bytes
from burstlab.profiles.breakdown import Breakdown, breakdown
from burstlab.profiles.interference import WHOLE, Per, interference
from burstlab.profiles.paths import paths
from burstlab.profiles.profile import Profile
from burstlab.profiles.run_record import checked_run, run_order
from burstlab.profiles.run_schemas import SCHEMAS
from burstlab.profiles.store import read_iterations, read_launches
from burstlab.profiles.timeline import timeline
from burstlab.records.cell_record import KERNELS, PROFILED_ITERATIONS, RECORD, REQUESTS, SIMULATED
from burstlab.records.parquet import write_parquet
from burstlab.records.schema import CellRecord
from burstlab.tables.cells_table import Row, identity_row
from burstlab.validity.conditions import Conditions
from burstlab.wording import count


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
    """Write the tables of `SCHEMAS` of the profiled runs with these `cell.json` into `folder`, as Parquet and as CSV.

    Rows are in order of the runs' identities. One run's launches are in memory at a time. Raises BurstlabError when a record or a
    file is damaged, or a run has no profile.
    """
    rows: dict[str, list[Row]] = {name: [] for name in SCHEMAS}
    for path in sorted(records, key=run_order):
        record = checked_run(path)
        for name, found in _of_run(path.parent, simulated=record.evidence == SIMULATED).items():
            rows[name] += [{**_identity(record, name), **row} for row in found]
    for name, found in rows.items():
        _write(folder / name, found, SCHEMAS[name])


def _identity(record: CellRecord, table: str) -> Row:
    """Which run a row is of; where kinds of iteration are compared, also under what it ran."""
    compared = set(Conditions.of(record).columns()) <= set(SCHEMAS[table].names)
    return identity_row(record) | (Conditions.of(record).columns() if compared else {})


def _of_run(folder: Path, *, simulated: bool) -> dict[str, list[Row]]:
    """The rows of each table that the files of one run in `folder` give."""
    launches = read_launches(folder / KERNELS)
    profile = Profile(folder / RECORD, launches, read_iterations(folder / PROFILED_ITERATIONS))
    # Data-parallel replicas are processes: the first stands for the others.
    process = pc.min(profile.iterations["process"]).as_py()
    found = breakdown(profile).of_process(process)
    return {
        "interference": list(_costs(found)),
        "breakdown": list(_times(found)),
        "paths": list(paths(profile, process)),
        "timeline": list(timeline(profile, process, pq.read_table(folder / REQUESTS), same_clock=simulated)),
    }


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
