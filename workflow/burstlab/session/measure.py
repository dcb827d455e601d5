"""Measuring one cell on a running engine, from warm-up to record."""

import contextlib
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from burstlab.arrivals import gamma, trace
from burstlab.bench.command import bench_arguments
from burstlab.datasets.replay import trace_s
from burstlab.datasets.vllm_arguments import dataset_arguments
from burstlab.errors import BurstlabError
from burstlab.records.observed import Observed
from burstlab.session.engine_run import EngineRun
from burstlab.session.evidence import Watch
from burstlab.session.places import Places
from burstlab.session.remaining import arrivals_s
from burstlab.study.cells import Cell
from burstlab.study.schema import Study

# A benchmark may take this many times its planned length before it counts as hung.
PATIENCE = 20.0
LEAST_PATIENCE_S = 900.0


@dataclass(frozen=True)
class Measured:
    """What is needed beyond the files to write a cell's record."""

    planned_send_s: np.ndarray
    first_send_clock_s: float
    released_clock_s: list[float]
    observed: Observed
    arguments: list[str]
    log_range: tuple[int, int]
    started_utc: str
    bench_wall_s: float
    wall_s: float


def planned_send_s(study: Study, cell: Cell, places: Places) -> np.ndarray:
    """Seconds after the start at which each request of the cell is to be sent, shape (requests,)."""
    requests = study.workloads[cell.workload].requests
    if cell.arrivals.burstiness is not None:
        return gamma.planned_send_s(requests, cell.rate, cell.arrivals.burstiness, cell.seed)
    if cell.arrivals.trace is None:
        raise ValueError(f"{cell.id} has neither burstiness nor trace")
    name = cell.arrivals.trace
    dataset = study.datasets[name]
    timestamps_s = trace_s(name, dataset, places.dataset(name, dataset))
    if timestamps_s.size < requests + 1:
        raise BurstlabError(
            f"datasets.{name}: {places.dataset(name, dataset)} has {timestamps_s.size} arrivals, but "
            f"workloads.{cell.workload}.requests = {requests} needs {requests + 1}, since the gap before the first one "
            "counts: lower requests, or replay a longer trace"
        )
    return trace.planned_send_s(timestamps_s, requests, cell.rate, cell.seed)


def patience_s(requests: int, rate_per_s: float) -> float:
    """Seconds after which a benchmark counts as hung."""
    return max(LEAST_PATIENCE_S, PATIENCE * arrivals_s(requests, rate_per_s))


def run_benchmark(study: Study, cell: Cell, run: EngineRun, places: Places, scratch: Path) -> Measured:
    """Warm up, let vLLM's client measure the cell, and wait until the engine is idle; `scratch` receives bench.json."""
    started = time.monotonic()
    started_utc = datetime.now(UTC).isoformat(timespec="milliseconds")
    workload = study.workloads[cell.workload]
    plan_s = planned_send_s(study, cell, places)
    arguments = bench_arguments(
        cell,
        base_url=run.server.base_url,
        model=run.model,
        dataset_arguments=dataset_arguments(workload, study.datasets, places.datasets, cell.seed),
        folder=scratch,
        profile=run.recorder is not None,
    )
    run.warm_up_between(cell.id)
    log_start = run.server.wait_idle()
    recording = run.recorder.recording() if run.recorder else contextlib.nullcontext()
    with recording, Watch(run, scratch) as watch:
        answer = run.client.run(
            arguments,
            planned_send_s=None if cell.arrivals.trace is None else plan_s.tolist(),
            timeout_s=patience_s(workload.requests, cell.rate),
        )
    if not run.server.alive():
        raise run.server.died()
    log_end = run.server.wait_idle()
    return Measured(
        planned_send_s=plan_s,
        first_send_clock_s=_clock(answer),
        released_clock_s=answer["released_clock_s"],
        observed=watch.observed(),
        arguments=arguments,
        log_range=(log_start, log_end),
        started_utc=started_utc,
        bench_wall_s=float(answer["wall_s"]),
        wall_s=time.monotonic() - started,
    )


def _clock(answer: dict[str, Any]) -> float:
    clock = answer.get("first_send_clock_s")
    if not isinstance(clock, float):
        raise BurstlabError("the benchmark client sent no request")
    return clock
