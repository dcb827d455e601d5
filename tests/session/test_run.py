"""One failed cell stops no other; a dead engine is started again, and not for ever."""

import contextlib
import io
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from burstlab.errors import BurstlabError
from burstlab.records.schema import Gate
from burstlab.session import run
from burstlab.session.console import Console
from burstlab.session.places import Places
from burstlab.session.recorder import TorchRecorder
from burstlab.study.cells import Arrivals, Cell, Session
from burstlab.study.load import read_study
from burstlab.study.schema import Study

CELLS = tuple(
    Cell("cpu", "tiny-gqa", "eager", "random-256-32", 6.0, Arrivals.gamma(0.5), seed) for seed in range(3)
)
SESSION = Session("cpu", "tiny-gqa", "eager", 0, CELLS)


@dataclass
class Process:
    """Stands for server and client."""

    running: bool = True
    start_s: float = 1.0

    def alive(self) -> bool:
        return self.running


@dataclass
class Engine:
    """Stands for EngineRun: what it was asked to do, and what fails."""

    server: Process = field(default_factory=Process)
    client: Process = field(default_factory=Process)
    recorder: TorchRecorder | None = None

    def warm_up_once(self) -> None:
        pass


@dataclass
class MadeUp:
    """A session whose engine and measurements are made up."""

    starts: list[Engine]
    measured: list[int]
    measure: Callable[[Engine, Cell], None]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> MadeUp:
    made_up = MadeUp([], [], lambda engine, cell: None)

    @contextlib.contextmanager
    def engine_run(*_: Any) -> Iterator[Engine]:
        made_up.starts.append(Engine())
        yield made_up.starts[-1]

    def measure(_study: Any, cell: Cell, engine: Engine, *_: Any) -> float:
        made_up.measure(engine, cell)
        made_up.measured.append(cell.seed)
        return 2.0

    monkeypatch.setattr(run, "engine_run", engine_run)
    monkeypatch.setattr(run, "_measure", measure)
    return made_up


@pytest.fixture
def study(root: Path) -> Study:
    return read_study(root / "config.yaml", root)


def journal_of(study: Study, tmp_path: Path) -> run.Journal:
    journal = run.Journal(io.StringIO(), tmp_path / "session.json", Console(io.StringIO(), SESSION.id))
    journal.console.begin([(cell, "") for cell in CELLS], {})
    run.run_session(study, SESSION, CELLS, Places(), tmp_path, journal)
    return journal


def told(journal: run.Journal) -> str:
    stream = journal.console.stream
    assert isinstance(stream, io.StringIO)
    return stream.getvalue()


def test_a_cell_that_a_gate_excludes_is_told_where_it_is_measured_and_leaves_no_scratch(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gate = Gate(name="client-punctual", passed=False, message="late by 245 ms")
    record = SimpleNamespace(
        times={"bench_duration_s": 2.0}, gates=(gate,), failed_gates=("client-punctual",)
    )
    used = []

    def benchmark(_study: Any, _cell: Any, _run: Any, _places: Any, scratch: Path) -> SimpleNamespace:
        (scratch / "bench.json").touch()
        used.append(scratch)
        return SimpleNamespace(wall_s=3.0)

    monkeypatch.setattr(run, "run_benchmark", benchmark)
    monkeypatch.setattr(run, "write_cell", lambda *_: record)
    log, stream = io.StringIO(), io.StringIO()
    journal = run.Journal(log, tmp_path / "session.json", Console(stream, SESSION.id))
    journal.console.begin([(cell, "") for cell in CELLS], dict.fromkeys(CELLS, 2.0))
    run._measure(study, CELLS[0], Engine(), Places(), journal)
    assert used == [Path("results/scratch") / CELLS[0].id]
    assert not Path("results/scratch").exists()
    assert stream.getvalue().splitlines()[-1] == (
        f"[1/3] {CELLS[0].id}  3.0 s  EXCLUDED by client-punctual  (about 10 s left)"
    )
    assert "excluded by client-punctual: late by 245 ms" in log.getvalue()


@dataclass(frozen=True)
class Took:
    """Stands for Measured."""

    wall_s: float


def test_keeping_a_profile_is_a_part_of_the_runs_time(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    kept, written = [], []

    def keep(_recorder: Any, _folder: Path, traces: Path | None) -> None:
        kept.append(traces)
        time.sleep(0.05)

    def write(_study: Any, _cell: Any, _run: Any, measured: Took, *_: Any) -> SimpleNamespace:
        written.append(measured)
        return SimpleNamespace(times={"bench_duration_s": 2.0}, gates=(), failed_gates=())

    monkeypatch.setattr(run, "keep_profile", keep)
    monkeypatch.setattr(run, "run_benchmark", lambda *_: Took(3.0))
    monkeypatch.setattr(run, "write_cell", write)
    journal = run.Journal(io.StringIO(), tmp_path / "session.json", Console(io.StringIO(), SESSION.id))
    journal.console.begin([(cell, "") for cell in CELLS], dict.fromkeys(CELLS, 2.0))
    run._measure(study, CELLS[0], Engine(recorder=TorchRecorder(tmp_path)), Places(), journal)
    assert kept == [None]  # the study does not ask for traces
    assert written[0].wall_s >= 3.05


def test_all_cells_are_measured_on_one_engine(session: MadeUp, study: Study, tmp_path: Path) -> None:
    journal = journal_of(study, tmp_path)
    assert (len(session.starts), session.measured, journal.failed) == (1, [0, 1, 2], {})
    assert journal.load_s == 6.0


def test_a_failed_cell_is_named_and_stops_no_other(session: MadeUp, study: Study, tmp_path: Path) -> None:
    def fail(_: Engine, cell: Cell) -> None:
        if cell.seed == 1:
            raise BurstlabError("all requests failed")

    session.measure = fail
    journal = journal_of(study, tmp_path)
    assert (len(session.starts), session.measured) == (1, [0, 2])
    assert journal.failed == {CELLS[1].id: "all requests failed"}
    assert f"[1/3] {CELLS[1].id}  FAILED: all requests failed" in told(journal)


@pytest.mark.parametrize("part", ["server", "client"])
def test_after_a_death_the_cells_left_run_on_a_new_engine(
    session: MadeUp, study: Study, tmp_path: Path, part: str
) -> None:
    def die(engine: Engine, cell: Cell) -> None:
        if cell.seed == 1:
            getattr(engine, part).running = False
            raise BurstlabError("out of memory")

    session.measure = die
    journal = journal_of(study, tmp_path)
    assert (len(session.starts), session.measured) == (2, [0, 2])
    assert journal.failed == {CELLS[1].id: "out of memory"}


def test_an_engine_that_dies_in_every_warm_up_is_given_up(
    session: MadeUp, study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def die(_: Engine) -> None:
        raise BurstlabError("out of memory")

    monkeypatch.setattr(Engine, "warm_up_once", die)
    journal = journal_of(study, tmp_path)
    assert len(session.starts) == run.ENGINE_STARTS
    assert set(journal.failed) == {cell.id for cell in CELLS}
