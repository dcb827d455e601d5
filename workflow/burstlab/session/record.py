"""From a finished benchmark to the cell's folder, its record last."""

from pathlib import Path

import pyarrow as pa

from burstlab.bench.command import RESULT_FILE
from burstlab.bench.delays import client_delays
from burstlab.bench.requests_table import read_bench
from burstlab.errors import BurstlabError
from burstlab.files import move_into_place
from burstlab.iterations.log import parse_bytes, parse_log
from burstlab.records.build import build_measured_cell
from burstlab.records.cell_record import KERNELS, MEASURED, PROFILED_ITERATIONS
from burstlab.records.schema import CellRecord, Gate, LogLines
from burstlab.session.engine_run import EngineRun
from burstlab.session.hardware import hardware
from burstlab.session.measure import Measured
from burstlab.session.scratch import without_scratch
from burstlab.study.cells import Cell
from burstlab.study.schema import Study
from burstlab.study.specification import specification
from burstlab.validity.evidence import Evidence
from burstlab.validity.judge import judge


def load_libraries() -> None:
    """Import what the first record would: pyarrow looks for pandas when it first makes a table, which takes seconds."""
    parse_bytes(b"")


def _without_traces(run: EngineRun) -> list[str]:
    if run.recorder is None:
        return run.server.command
    return without_scratch(run.server.command, run.recorder.folder, "results/scratch/traces")


def write_cell(
    study: Study, cell: Cell, run: EngineRun, measured: Measured, scratch: Path, folder: Path
) -> CellRecord:
    """Move `bench.json`, and a profile's tables, from `scratch` to `folder`; add the tables and the record, which is returned.

    Raises BurstlabError when no request succeeded or the files contradict each other.
    """
    bench = read_bench(scratch / RESULT_FILE)
    if bench.completed == 0:
        reason = next(
            (error.strip().splitlines()[-1] for error in bench.errors if error.strip()), "no reason given"
        )
        raise BurstlabError(f"all {len(bench.errors)} requests failed: {reason}")
    folder.mkdir(parents=True, exist_ok=True)
    for name in (RESULT_FILE, KERNELS, PROFILED_ITERATIONS):
        if (scratch / name).exists():
            move_into_place(scratch / name, folder / name)
    asked = specification(cell, study)
    delays = client_delays(
        bench, measured.planned_send_s, measured.first_send_clock_s, measured.released_clock_s
    )
    observed = measured.observed.model_copy(update={"client": delays})

    def verdicts(requests: pa.Table, iterations: pa.Table, log_lines: LogLines) -> tuple[Gate, ...]:
        return judge(Evidence(cell, MEASURED, asked, run.reported, log_lines, observed, requests, iterations))

    return build_measured_cell(
        folder,
        cell=cell,
        specification=asked,
        planned_send_s=measured.planned_send_s,
        start_clock_s=measured.first_send_clock_s,
        log=parse_log(run.server.log, *measured.log_range),
        versions=run.versions,
        hardware=hardware(),
        commands={
            "server": _without_traces(run),
            "client": without_scratch(measured.arguments, scratch, f"results/scratch/{cell.id}"),
            "environment": [f"{name}={value}" for name, value in sorted(run.recorded_settings().items())],
        },
        engine_reported=run.reported,
        times={
            "started_utc": measured.started_utc,
            "bench_wall_s": measured.bench_wall_s,
            "cell_wall_s": measured.wall_s,
            "engine_start_s": run.server.start_s or 0.0,
        },
        observed=observed,
        gates=verdicts,
    )
