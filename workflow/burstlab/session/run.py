"""One session: an engine started once, its missing and stale cells measured one after another."""

import contextlib
import errno
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TextIO

from burstlab.engine import leftovers
from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_json
from burstlab.records.retire import retire
from burstlab.records.status import judge
from burstlab.session.console import Console
from burstlab.session.engine_run import EngineRun, engine_run
from burstlab.session.measure import run_benchmark
from burstlab.session.named import named
from burstlab.session.node_logs import node_logs
from burstlab.session.nsys_recorder import NsysRecorder
from burstlab.session.places import Places
from burstlab.session.preflight import check_requests
from burstlab.session.profile import keep_profile
from burstlab.session.record import load_libraries, write_cell
from burstlab.session.recorder import Recorder, TorchRecorder
from burstlab.session.remaining import arrivals_s
from burstlab.session.scratch import cell_scratch, scratch_folder
from burstlab.session.watch import end_with, leave_on_signals
from burstlab.study.cells import Cell, Session
from burstlab.study.load import load_study
from burstlab.study.profiled import ProfiledEngine, runs_of
from burstlab.study.schema import Study
from burstlab.study.specification import specification
from burstlab.wording import count

ENGINE_STARTS = 3


@dataclass
class Journal:
    """What the session did and how long it took: printed as it happens, saved at the end.

    `log` gets the details, `console` what someone who waits wants to know.
    """

    log: TextIO
    path: Path
    console: Console
    engine_start_s: list[float] = field(default_factory=list)
    measuring_s: float = 0.0
    load_s: float = 0.0
    measured: list[str] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)

    def say(self, message: str) -> None:
        """Print one message with the time of day."""
        print(time.strftime("%H:%M:%S"), message, file=self.log, flush=True)

    def tell(self, message: str) -> None:
        """Say it, and show it on the console too."""
        self.say(message)
        self.console.tell(message)

    def fail(self, cell: Cell, reason: str) -> None:
        """Name a cell that failed, at once."""
        self.failed[cell.id] = reason
        self.say(f"{cell.id} failed: {reason}")
        self.console.failed(cell, reason)

    def save(self) -> None:
        """Write the figures as JSON. `load_s`/`measuring_s` is the session's efficiency, engine starts excluded."""
        summary = {
            "engine_start_s": self.engine_start_s,
            "measuring_s": self.measuring_s,
            "load_s": self.load_s,
            "efficiency": self.load_s / self.measuring_s if self.measuring_s else None,
            "measured": self.measured,
            "failed": self.failed,
        }
        atomic_write_json(self.path, summary)


def run_from_workflow(
    *,
    config: Mapping[str, Any],
    session_id: str,
    wanted: Sequence[Path],
    log: Path,
    workflow_pid: int,
    of_profiles: bool = False,
) -> None:
    """What the workflow's session job does: measure the cells whose records are `wanted`, and end with the workflow.

    With `of_profiles` they are the study's profiled runs. Raises SystemExit with a short message when a cell failed; the others
    are measured all the same.
    """
    leave_on_signals()
    with log.open("w") as sink:
        unit = "profiled run" if of_profiles else "cell"
        journal = Journal(sink, log.with_name("session.json"), Console(sys.stderr, session_id, unit))
        try:
            end_with(workflow_pid)
            study = load_study(config, [], Path.cwd())
            places = Places()
            if of_profiles:
                study, places = runs_of(study), places.of_profiles()
            session = named(session_id, study)
            todo = _unmeasured(study, session, set(wanted), places)
            journal.console.begin(todo, _planned_s(study, [cell for cell, _ in todo]))
            for cell, reason in todo:
                journal.say(f"to measure: {cell.id}" + (f": {reason}" if reason else ""))
            if todo:
                check_requests(study, [cell for cell, _ in todo], places)
                with node_logs(log.parent, scratch_folder(places)):
                    run_session(study, session, [cell for cell, _ in todo], places, log.parent, journal)
        except BurstlabError as error:
            journal.say(str(error))
            raise SystemExit(f"session {session_id} failed: {error}") from None
        except OSError as error:
            if error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            journal.say(str(error))
            raise SystemExit(f"session {session_id} failed: {error}; finished cells are kept") from None
        finally:
            journal.save()
    if journal.failed:
        names = "\n".join(f"  {cell}: {reason}" for cell, reason in journal.failed.items())
        raise SystemExit(
            f"session {session_id}: {len(journal.failed)} of {count(len(todo), unit)} failed:\n{names}"
        )


def _unmeasured(study: Study, session: Session, wanted: set[Path], places: Places) -> list[tuple[Cell, str]]:
    """Cells whose records are wanted and, looked at now, not valid: a retried job does not measure again what it finished.

    With each goes why it is measured again; nothing where it is measured for the first time.
    """
    found = []
    for cell in session.cells:
        if places.cell(cell) / "cell.json" in wanted:
            verdict = judge(cell, specification(cell, study), places.results)
            if verdict.state != "valid":
                found.append((cell, verdict.reason if verdict.state == "stale" else ""))
    return found


def _planned_s(study: Study, cells: Sequence[Cell]) -> dict[Cell, float]:
    return {cell: arrivals_s(study.workloads[cell.workload].requests, cell.rate) for cell in cells}


def run_session(
    study: Study, session: Session, todo: Sequence[Cell], places: Places, logs: Path, journal: Journal
) -> None:
    """Measure `todo`, starting the engine anew when it dies, at most `ENGINE_STARTS` times."""
    ended = leftovers.end_all()
    if ended:
        journal.say(f"ended processes that a killed session had left: {ended}")
    left = list(todo)
    for _ in range(ENGINE_STARTS):
        with (
            _recorder(study, session, places, logs) as recorder,
            engine_run(study, session, logs, journal.say, journal.tell, load_libraries, recorder) as run,
        ):
            journal.engine_start_s.append(run.server.start_s or 0.0)
            study = study.at(study.root)  # what the start downloaded, specifications see only now
            with _timed(journal):
                left = _measure_until_death(study, left, run, places, journal)
        if not left:
            return
    for cell in left:
        journal.fail(
            cell, f"the engine died {ENGINE_STARTS} times in this session; its log: {logs / 'engine.log'}"
        )


@contextlib.contextmanager
def _recorder(study: Study, session: Session, places: Places, logs: Path) -> Iterator[Recorder | None]:
    """What records a profiled engine, with a folder for as long as that runs; None for other engines."""
    engine = study.engines[session.engine]
    if not isinstance(engine, ProfiledEngine):
        yield None
        return
    with cell_scratch(scratch_folder(places), f"{session.id}/traces") as folder:
        if engine.profiler == "nsys":
            yield NsysRecorder(folder.absolute(), logs / "nsys.log", engine.nsys_arguments or ())
        else:
            on_cpu = study.platforms[session.platform].kind == "cpu"
            yield TorchRecorder(folder.absolute(), on_cpu=on_cpu)


@contextlib.contextmanager
def _timed(journal: Journal) -> Iterator[None]:
    started = time.monotonic()
    try:
        yield
    finally:
        journal.measuring_s += time.monotonic() - started


def _measure_until_death(
    study: Study, todo: Sequence[Cell], run: EngineRun, places: Places, journal: Journal
) -> list[Cell]:
    """Warm up and measure cells in order; returns those not tried because engine or client died."""
    try:
        run.warm_up_once()
    except BurstlabError as error:
        journal.tell(f"the warm-up failed: {error}")
        return list(todo)
    for position, cell in enumerate(todo):
        try:
            journal.load_s += _measure(study, cell, run, places, journal)
            journal.measured.append(cell.id)
        except BurstlabError as error:
            journal.fail(cell, str(error))
            if not (run.server.alive() and run.client.alive()):
                return list(todo[position + 1 :])
    return []


def _keep_profile(study: Study, cell: Cell, recorder: Recorder, places: Places, scratch: Path) -> float:
    """Write the profile's tables to `scratch`; returns the seconds it took."""
    started = time.monotonic()
    engine = study.engines[cell.engine]
    kept = isinstance(engine, ProfiledEngine) and engine.keep_trace
    keep_profile(recorder, scratch, places.trace(cell) if kept else None)
    return time.monotonic() - started


def _measure(study: Study, cell: Cell, run: EngineRun, places: Places, journal: Journal) -> float:
    """Measure one cell and write its record; returns the benchmark's own duration in seconds."""
    with cell_scratch(scratch_folder(places), cell.id) as scratch:
        measured = run_benchmark(study, cell, run, places, scratch)
        if run.recorder is not None:
            wall_s = _keep_profile(study, cell, run.recorder, places, scratch)
            measured = replace(measured, wall_s=measured.wall_s + wall_s)
        # Only now: had the measurement failed, the old record would still be there for who goes back to its configuration.
        retired = retire(cell, places.results)
        if retired is not None:
            journal.say(f"{cell.id}: the record that no longer matched is kept in {retired}")
        record = write_cell(study, cell, run, measured, scratch, places.cell(cell))
    duration_s = float(record.times["bench_duration_s"])
    journal.say(f"{cell.id}: {duration_s:.2f} s of load in {measured.wall_s:.2f} s")
    for gate in record.gates:
        if gate.state == "failed":
            journal.say(f"{cell.id}: excluded by {gate.name}: {gate.message}")
    journal.console.measured(cell, measured.wall_s, record.failed_gates)
    return duration_s
