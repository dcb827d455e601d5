"""From a simulated run to a whole cell folder: both tables and last the record."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import burstlab
from burstlab.records.build import Judge
from burstlab.records.cell_record import ITERATIONS, REQUESTS, SIMULATED, write_record
from burstlab.records.observed import EngineCounters, Observed
from burstlab.records.parquet import write_parquet
from burstlab.records.schema import CellRecord, LogLines, Simulation
from burstlab.records.summary import compute_summary
from burstlab.simulator.clock import PS_PER_S
from burstlab.simulator.loop import Run
from burstlab.simulator.setup import PROTOCOL, Setup
from burstlab.simulator.tables import iterations_table, requests_table
from burstlab.study.cells import Cell


def build_simulated_cell(
    folder: Path,
    *,
    cell: Cell,
    specification: Mapping[str, Any],
    setup: Setup,
    run: Run,
    engine_reported: Mapping[str, Any],
    gates: Judge,
) -> CellRecord:
    """Write tables and record of `cell`, as `run` came out, into `folder`; the same run gives the same bytes.

    No machine, program or time of day is in it, for none matters.
    """
    requests, iterations = requests_table(run), iterations_table(run)
    duration_s = duration_of_s(run)
    write_parquet(folder / REQUESTS, requests)
    write_parquet(folder / ITERATIONS, iterations)
    return write_record(
        folder,
        cell=cell,
        evidence=SIMULATED,
        specification=specification,
        versions={"burstlab": burstlab.__version__},
        hardware={},
        commands={},
        engine_reported=engine_reported,
        log_lines=LogLines(),
        gates=tuple(gates(requests, iterations, LogLines())),
        observed=observed(run),
        times={"bench_duration_s": duration_s},
        summary=compute_summary(requests, iterations, duration_s),
        simulation=_simulation(setup),
    )


def duration_of_s(run: Run) -> float:
    """From the start until the client has the last token, in seconds."""
    return float((int(run.last_token_ps.max()) + run.delays.egress_ps) / PS_PER_S)


def observed(run: Run) -> Observed:
    """What a simulated engine counted: every request is served to its end, and nothing is cached."""
    sent = run.requests
    count = len(sent.send_ps)
    counters = EngineCounters(
        prompt_tokens=int(sent.prompt_tokens.sum()),
        generation_tokens=int(sent.output_tokens.sum()),
        finished_requests=count,
        finished_by_length=count,
        preemptions=run.preemptions,
        prefix_cache_queries=0,
        prefix_cache_hits=0,
    )
    return Observed(engine=counters, gpus=())


def _simulation(setup: Setup) -> Simulation:
    known = {f"{name} ({one.unit})": one for name, one in setup.constants().items()}
    return Simulation(
        costs="roofline",
        protocol=PROTOCOL,
        constants_sha256=setup.constants_sha256(),
        constants={name: float(one.value) for name, one in known.items()},
        assumed=tuple(name for name, one in known.items() if one.source.startswith("assumed")),
        kv_tokens=setup.kv_tokens(),
    )
