"""One simulated session: the missing and stale cells of a platform, model and engine, predicted one after another.

It needs no engine, no device and no file but data sets that cannot be drawn anew.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from burstlab.arrivals import gamma, trace
from burstlab.datasets.replay import trace_s
from burstlab.datasets.sent import sent_lengths
from burstlab.datasets.synthetic_burstgpt import drawn_times_s
from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_json
from burstlab.profiles.store import write_iterations, write_launches
from burstlab.records.build_simulated import build_simulated_cell, observed
from burstlab.records.cell_record import KERNELS, PROFILED_ITERATIONS, RECORD, SIMULATED
from burstlab.records.retire import retire
from burstlab.records.schema import CellRecord, Gate, LogLines
from burstlab.records.status import judge as status_of
from burstlab.session.named import named
from burstlab.session.places import Places
from burstlab.simulator.noting import Noting
from burstlab.simulator.profile import profile_tables
from burstlab.simulator.requests import requests
from burstlab.study.cells import Cell, Session
from burstlab.study.load import load_study
from burstlab.study.profiled import ProfiledEngine, runs_of
from burstlab.study.schema import Study
from burstlab.study.simulable import reported, setup_of
from burstlab.study.specification import specification
from burstlab.validity.evidence import Evidence
from burstlab.validity.judge import judge
from burstlab.wording import count


def simulate_from_workflow(
    *,
    config: Mapping[str, Any],
    session_id: str,
    wanted: Sequence[Path],
    log: Path,
    of_profiles: bool = False,
) -> None:
    """What the workflow's job does: simulate the cells whose records are `wanted` and, looked at now, not valid.

    With `of_profiles` they are the study's profiled runs. Raises SystemExit with a short message when a cell failed; the others
    are simulated all the same.
    """
    with log.open("w") as sink:

        def say(message: str) -> None:
            print(message, file=sink, flush=True)

        try:
            study, places = load_study(config, [], Path.cwd()), Places()
            if of_profiles:
                study, places = runs_of(study), places.of_profiles()
            session = named(session_id, study)
            unit = "profiled run" if of_profiles else "cell"
            failed = simulate_session(
                study, session, set(wanted), places, log.with_name("session.json"), say, unit
            )
        except BurstlabError as error:
            say(str(error))
            raise SystemExit(f"session {session_id} failed: {error}") from None
    if failed:
        names = "\n".join(f"  {cell}: {reason}" for cell, reason in failed.items())
        raise SystemExit(f"session {session_id}: {count(len(failed), unit)} failed:\n{names}")


def simulate_session(
    study: Study,
    session: Session,
    wanted: set[Path],
    places: Places,
    summary: Path,
    say: Callable[[str], None],
    unit: str = "cell",
) -> dict[str, str]:
    """Simulate what is wanted and not valid, tell of it and write a `summary`; returns the reasons of cells that failed.

    `unit` is what one of them is called.
    """
    started = time.monotonic()
    done: list[str] = []
    failed: dict[str, str] = {}
    excluded = 0
    for cell in session.cells:
        asked = specification(cell, study)
        if (
            places.cell(cell) / RECORD not in wanted
            or status_of(cell, asked, places.results).state == "valid"
        ):
            continue
        try:
            record = simulate_cell(study, cell, places)
        except BurstlabError as error:
            failed[cell.id] = str(error)
            say(f"{cell.id} failed: {error}")
            continue
        done.append(cell.id)
        excluded += bool(record.failed_gates)
        say(f"{cell.id}: simulated; failed gates: {', '.join(record.failed_gates) or 'none'}")
    atomic_write_json(summary, {"measured": done, "failed": failed})
    text = f"{session.id}: simulated {count(len(done), unit)} in {time.monotonic() - started:.1f} s"
    # Of a profiled run shares and ratios count, whatever its times.
    how = "excluded by gates" if unit == "cell" else "with failed gates"
    print(text + (f", {excluded} {how}" if excluded else ""), file=sys.stderr, flush=True)
    return failed


def simulate_cell(study: Study, cell: Cell, places: Places) -> CellRecord:
    """Simulate one cell and write its folder, with a profile where the engine is a profiled one; an old record goes to the
    retired ones.

    Raises BurstlabError when a request can never be served, or a data set is not there as asked for.
    """
    setup = setup_of(study, cell.platform, cell.model, cell.engine)
    costs = Noting(setup.costs()) if isinstance(study.engines[cell.engine], ProfiledEngine) else None
    run = setup.simulate(
        requests(_planned_send_s(study, cell, places), *_lengths(study, cell, places)), costs
    )
    asked, says = specification(cell, study), reported(study, cell.engine, setup)

    def verdicts(sent: pa.Table, iterations: pa.Table, log_lines: LogLines) -> tuple[Gate, ...]:
        return judge(Evidence(cell, SIMULATED, asked, says, log_lines, observed(run), sent, iterations))

    retire(cell, places.results)
    folder = places.cell(cell)
    folder.mkdir(parents=True, exist_ok=True)
    if costs is not None:
        launches, iterations = profile_tables(run, costs)
        write_launches(folder / KERNELS, launches)
        write_iterations(folder / PROFILED_ITERATIONS, iterations)
    return build_simulated_cell(
        folder, cell=cell, specification=asked, setup=setup, run=run, engine_reported=says, gates=verdicts
    )


def _lengths(study: Study, cell: Cell, places: Places) -> tuple[np.ndarray, np.ndarray]:
    workload = study.workloads[cell.workload]
    dataset = study.datasets.get(workload.dataset)
    folder = None if dataset is None else places.dataset(workload.dataset, dataset)
    sent = sent_lengths(workload, dataset, folder, cell.seed)
    return sent.prompt_tokens, sent.output_tokens


def _planned_send_s(study: Study, cell: Cell, places: Places) -> np.ndarray:
    """As `session.measure` plans them; the times of a synthetic trace are drawn without files."""
    sent = study.workloads[cell.workload].requests
    if cell.arrivals.trace is None:
        return gamma.planned_send_s(sent, cell.rate, cell.arrivals.burstiness or 0.0, cell.seed)
    name = cell.arrivals.trace
    dataset = study.datasets[name]
    times_s = (
        drawn_times_s(dataset) if dataset.synthetic else trace_s(name, dataset, places.dataset(name, dataset))
    )
    return trace.planned_send_s(times_s, sent, cell.rate, cell.seed)
