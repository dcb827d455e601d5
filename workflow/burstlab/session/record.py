"""From a finished benchmark to the cell's folder, its record last."""

from pathlib import Path

from burstlab.bench.command import RESULT_FILE
from burstlab.bench.delays import client_delays
from burstlab.bench.requests_table import read_bench
from burstlab.errors import BurstlabError
from burstlab.iterations.log import parse_log
from burstlab.records.build import build_measured_cell
from burstlab.records.schema import Gate
from burstlab.session.engine_run import EngineRun
from burstlab.session.hardware import hardware
from burstlab.session.measure import Measured
from burstlab.study.cells import Cell
from burstlab.study.schema import Study
from burstlab.study.specification import specification


def write_cell(
    study: Study, cell: Cell, run: EngineRun, measured: Measured, scratch: Path, folder: Path
) -> float:
    """Move `bench.json` from `scratch` to `folder`, add the tables and the record; returns the load's duration in seconds.

    Raises BurstlabError when no request succeeded or the files contradict each other.
    """
    bench = read_bench(scratch / RESULT_FILE)
    if bench.completed == 0:
        reason = next(
            (error.strip().splitlines()[-1] for error in bench.errors if error.strip()), "no reason given"
        )
        raise BurstlabError(f"all {len(bench.errors)} requests failed: {reason}")
    folder.mkdir(parents=True, exist_ok=True)
    (scratch / RESULT_FILE).replace(folder / RESULT_FILE)
    record = build_measured_cell(
        folder,
        cell=cell,
        specification=specification(cell, study),
        planned_send_s=measured.planned_send_s,
        start_clock_s=measured.first_send_clock_s,
        log=parse_log(run.server.log, *measured.log_range),
        versions=run.versions,
        hardware=hardware(),
        commands={
            "server": run.server.command,
            "client": measured.arguments,
            "environment": [f"{name}={value}" for name, value in sorted(run.recorded_settings().items())],
        },
        engine_reported=run.reported,
        times={
            "started_utc": measured.started_utc,
            "bench_wall_s": measured.bench_wall_s,
            "cell_wall_s": measured.wall_s,
            "engine_start_s": run.server.start_s or 0.0,
        },
        observed=measured.observed.model_copy(
            update={
                "client": client_delays(
                    bench, measured.planned_send_s, measured.first_send_clock_s, measured.released_clock_s
                )
            }
        ),
        gates=[_all_succeeded(bench.completed, len(bench.errors))],
    )
    return float(record.times["bench_duration_s"])


def _all_succeeded(completed: int, requests: int) -> Gate:
    failed = requests - completed
    message = f"{failed} of {requests} requests failed" if failed else f"all {requests} requests succeeded"
    return Gate(name="requests-succeeded", passed=not failed, message=message)
