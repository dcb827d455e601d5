"""One cell: are its tables and metrics what its raw files give?

Raw are `bench.json` (compressed in a collection), the engine's lines in `iterations.log.zst`, and in the record the
specification and the client's clock at the start. All else is made from them.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from burstlab.arrivals.gamma import planned_send_s
from burstlab.bench.requests_table import SCHEMA as REQUESTS_SCHEMA
from burstlab.bench.requests_table import Bench, check_against_saved, parse_bench, requests_table
from burstlab.collections.renamed import BENCH_COMPRESSED
from burstlab.errors import BurstlabError
from burstlab.iterations.log import SCHEMA as ITERATIONS_SCHEMA
from burstlab.iterations.log import parse_bytes
from burstlab.records.cell_record import (
    BENCH,
    ITERATIONS,
    ITERATIONS_LOG,
    KERNELS,
    RECORD,
    REQUESTS,
    SIMULATED,
    read_record,
)
from burstlab.records.compressed import read_compressed
from burstlab.records.parquet import read_parquet
from burstlab.records.schema import CellRecord, LogLines
from burstlab.records.summary import compute_summary
from burstlab.verify.content import checked_content, content_of
from burstlab.verify.same import same_number, table_differences
from burstlab.verify.simulated import verify_simulated

PLAN = "planned send times: the trace that was replayed is not kept"
TRACES = "kernels: the traces of profiled runs are not kept"
LINES = "iterations: the engine's lines were not kept"


@dataclass
class CellFound:
    """What differs in a cell, and what of it cannot be made anew because its raw file is not kept."""

    differences: list[str] = field(default_factory=list)
    not_raw: list[str] = field(default_factory=list)


def verify_cell(folder: Path) -> CellFound:
    """Make the tables and metrics of the cell in `folder` anew and compare. A faulty file is a difference too."""
    found = CellFound()
    try:
        record = read_record(folder / RECORD)
        if record.evidence == SIMULATED:
            verify_simulated(folder, record, found.differences, found.not_raw)
            return found
        if KERNELS in record.files:
            found.not_raw.append(TRACES)
        bench = parse_bench(_bench_content(folder, record), folder / BENCH)
        requests = read_parquet(content_of(folder, REQUESTS, record), REQUESTS_SCHEMA, folder / REQUESTS)
        iterations = read_parquet(
            content_of(folder, ITERATIONS, record), ITERATIONS_SCHEMA, folder / ITERATIONS
        )
        found.differences += _requests(bench, requests, record)
        found.differences += _plan(requests, record, found)
        found.differences += _iterations(folder, iterations, record, found)
        found.differences += _summary(requests, iterations, bench, record)
    except BurstlabError as error:
        found.differences.append(str(error).removeprefix(f"{folder}/"))
    return found


def _requests(bench: Bench, stored: pa.Table, record: CellRecord) -> Iterator[str]:
    planned_s = stored["planned_send_s"].to_numpy()
    known = bool(np.isfinite(planned_s).all())
    derived = requests_table(
        bench, planned_s if known else np.zeros(len(planned_s)), _clock_s(bench, stored, record)
    )
    check_against_saved(derived, bench)
    if not known:
        stored, derived = (table.drop_columns("planned_send_s") for table in (stored, derived))
    for difference in table_differences(stored, derived, "request"):
        yield f"{REQUESTS}: {difference}"


def _clock_s(bench: Bench, stored: pa.Table, record: CellRecord) -> float:
    """The client's clock when the benchmark began; of older records as the first request that was sent tells it."""
    clock_s = record.times.get("start_clock_s")
    if isinstance(clock_s, float):
        return clock_s
    pairs = zip(bench.start_times, stored["send_s"].to_pylist(), strict=False)
    return next((started_s - send_s for started_s, send_s in pairs if started_s and send_s is not None), 0.0)


def _plan(stored: pa.Table, record: CellRecord, found: CellFound) -> Iterator[str]:
    planned_s = stored["planned_send_s"].to_numpy()
    if not np.isfinite(planned_s).all():
        found.not_raw.append("planned send times: an imported cell does not say them")
        return
    cell = record.cell.cell()
    if cell.arrivals.burstiness is None:
        found.not_raw.append(PLAN)
        return
    derived_s = planned_send_s(len(planned_s), cell.rate, cell.arrivals.burstiness, cell.seed)
    column = pa.table({"request": stored["request"], "planned_send_s": planned_s})
    derived = pa.table({"request": stored["request"], "planned_send_s": derived_s})
    for difference in table_differences(column, derived, "request"):
        yield f"{REQUESTS}: {difference}"


def _iterations(folder: Path, stored: pa.Table, record: CellRecord, found: CellFound) -> Iterator[str]:
    if ITERATIONS_LOG not in record.files:
        if stored.num_rows:
            found.not_raw.append(LINES)
        return
    content_of(folder, ITERATIONS_LOG, record)
    log = parse_bytes(read_compressed(folder / ITERATIONS_LOG))
    for difference in table_differences(stored, log.table, "iteration"):
        yield f"{ITERATIONS}: {difference}"
    lines = LogLines(unparsed=log.unparsed_lines, dummy=log.dummy_lines, idle=log.idle_lines)
    if lines != record.log_lines:
        yield f"{RECORD}: log_lines are {record.log_lines}, the engine's lines give {lines}"


def _summary(requests: pa.Table, iterations: pa.Table, bench: Bench, record: CellRecord) -> Iterator[str]:
    derived = compute_summary(requests, iterations, bench.duration_s)
    # A record of before a metric was thought of is without it, and may have one that is no more.
    for name in sorted(derived.keys() & record.summary.keys()):
        if not same_number(record.summary[name], derived[name]):
            yield f"{RECORD}: summary.{name} is {record.summary[name]!r}, its raw files give {derived[name]!r}"
    saved_s = record.times.get("bench_duration_s")
    if isinstance(saved_s, float) and not math.isclose(saved_s, bench.duration_s):
        yield f"{RECORD}: times.bench_duration_s is {saved_s!r}, {BENCH} has {bench.duration_s!r}"


def _bench_content(folder: Path, record: CellRecord) -> bytes:
    if (folder / BENCH).exists():
        return content_of(folder, BENCH, record)
    return checked_content(
        read_compressed(folder / BENCH_COMPRESSED), folder / BENCH_COMPRESSED, BENCH, record
    )
