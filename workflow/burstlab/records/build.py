"""From what a benchmark left behind to a whole cell folder: both tables, the checks, and last the record."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from burstlab.bench.requests_table import check_against_saved, read_bench, requests_table
from burstlab.iterations.log import IterationLog
from burstlab.records.cell_record import BENCH, ITERATIONS, ITERATIONS_LOG, MEASURED, REQUESTS, write_record
from burstlab.records.compressed import write_compressed
from burstlab.records.observed import Observed
from burstlab.records.parquet import write_parquet
from burstlab.records.schema import CellRecord, Gate, LogLines
from burstlab.records.summary import compute_summary
from burstlab.study.cells import Cell

# From the tables of requests and iterations and the account of the log's lines to verdicts.
Judge = Callable[[pa.Table, pa.Table, LogLines], Sequence[Gate]]


def build_measured_cell(
    folder: Path,
    *,
    cell: Cell,
    specification: Mapping[str, Any],
    planned_send_s: Sequence[float] | np.ndarray,
    start_clock_s: float | None,
    log: IterationLog,
    versions: Mapping[str, str | None],
    hardware: Mapping[str, Any],
    commands: Mapping[str, Sequence[str]],
    engine_reported: Mapping[str, Any],
    times: Mapping[str, str | float],
    gates: Sequence[Gate] | Judge = (),
    observed: Observed | None = None,
) -> CellRecord:
    """Complete `folder`, which holds the `bench.json` of `cell`: write its tables and, last, its record.

    `planned_send_s` and `start_clock_s` are those of `requests_table`; `times` is what the caller timed,
    such as `started_utc` and `wall_s`, and gets `bench_duration_s` and `start_clock_s` added. `gates` are the
    verdicts, or what finds them once the tables are made. Raises
    BurstlabError when `bench.json` is faulty or contradicts itself; then there is no record, and the cell is
    measured again.
    """
    # All that the tables are made of is kept, so that they can be made again and compared.
    clock = {} if start_clock_s is None else {"start_clock_s": start_clock_s}
    bench = read_bench(folder / BENCH)
    requests = requests_table(bench, planned_send_s, start_clock_s)
    check_against_saved(requests, bench)
    write_parquet(folder / REQUESTS, requests)
    write_parquet(folder / ITERATIONS, log.table)
    (folder / ITERATIONS_LOG).unlink(missing_ok=True)  # of a session that was killed here
    if log.lines:
        write_compressed(folder / ITERATIONS_LOG, log.lines)
    log_lines = LogLines(unparsed=log.unparsed_lines, dummy=log.dummy_lines, idle=log.idle_lines)
    return write_record(
        folder,
        cell=cell,
        evidence=MEASURED,
        specification=specification,
        versions=versions,
        hardware=hardware,
        commands=commands,
        engine_reported=engine_reported,
        log_lines=log_lines,
        gates=tuple(gates(requests, log.table, log_lines) if callable(gates) else gates),
        observed=observed,
        times={"bench_duration_s": bench.duration_s, **clock, **times},
        summary=compute_summary(requests, log.table, bench.duration_s),
    )
