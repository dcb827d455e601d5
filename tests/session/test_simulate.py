"""A simulated session: cells of the same form as measured ones, the same bytes every time, stale when their costs change."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.simulated_study import in_folder, simulated_config

from burstlab.files import sha256_of
from burstlab.records.cell_record import check_folder, read_record
from burstlab.records.status import status
from burstlab.session.places import Places
from burstlab.session.simulate import simulate_cell, simulate_from_workflow, simulate_session
from burstlab.simulator.costs.roofline.constants import CONSTANTS
from burstlab.study.cells import Arrivals, Cell
from burstlab.study.expand import cells, sessions
from burstlab.study.profiled import runs_of
from burstlab.study.schema import Study
from burstlab.study.specification import specifications
from burstlab.validity.judge import judge_cell


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.chdir(tmp_path)
    return in_folder(tmp_path)


def folder(cell: Cell) -> Path:
    return Places().cell(cell)


def simulated(study: Study, wanted: Callable[[Cell], bool] = lambda cell: True) -> list[str]:
    """Run all sessions for the wanted cells; returns what the logs say."""
    said: list[str] = []
    for session in sessions(cells(study), study):
        records = {folder(cell) / "cell.json" for cell in session.cells if wanted(cell)}
        assert simulate_session(study, session, records, Places(), Path("session.json"), said.append) == {}
    return said


def states(study: Study) -> set[str]:
    found = cells(study)
    verdicts = status(found, specifications(found, study), Path("results"), Path("index.json"))
    return {verdict.state for verdict in verdicts.values()}


def digests() -> dict[str, str]:
    return {str(path): sha256_of(path) for path in Path("results/cells").rglob("*") if path.is_file()}


def columns(study: Study, name: str, *names: str) -> dict[Cell, np.ndarray]:
    return {cell: pd.read_parquet(folder(cell) / name)[list(names)].to_numpy() for cell in cells(study)}


def test_a_cell_is_two_tables_and_a_record_that_says_it_is_simulated(study: Study) -> None:
    cell = cells(study)[0]
    simulate_cell(study, cell, Places())
    assert sorted(path.name for path in folder(cell).iterdir()) == [
        "cell.json",
        "iterations.parquet",
        "requests.parquet",
    ]
    record = check_folder(folder(cell), cell)
    assert (record.evidence, record.commands, record.hardware) == ("simulated", {}, {})
    assert record.simulation is not None
    assert record.simulation.constants["gh200.hbm (GB/s)"] == CONSTANTS["gh200.hbm"].value
    assert "pause.iteration (ms)" in record.simulation.assumed
    assert not any(name.startswith("h200.") for name in record.simulation.constants)
    assert record.summary["output_tokens"] == 40 * 16


def test_finished_cells_are_valid_and_not_simulated_again(study: Study) -> None:
    assert len(simulated(study)) == len(cells(study))
    assert states(study) == {"valid"}
    assert simulated(study) == []


def test_the_same_study_gives_the_same_bytes(study: Study, tmp_path: Path) -> None:
    simulated(study)
    before = digests()
    (tmp_path / "results").rename(tmp_path / "elsewhere")
    simulated(study)
    assert digests() == before


def test_a_changed_constant_retires_what_rested_on_the_old_one(
    study: Study, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    simulated(study)
    one = CONSTANTS["gh200.hbm"]
    monkeypatch.setitem(CONSTANTS, "gh200.hbm", replace(one, value=one.value / 2))
    assert states(study.at(tmp_path)) == {"stale"}
    simulated(study.at(tmp_path))
    cell = cells(study)[0]
    old, new = (
        read_record(place / "cell.json") for place in (Path("results/retired") / cell.id / "1", folder(cell))
    )
    assert old.summary["mean_tpot_ms"] < new.summary["mean_tpot_ms"]


def test_only_what_is_wanted_is_simulated(study: Study) -> None:
    simulated(study, lambda cell: cell.seed == 1)
    assert {cell.seed for cell in cells(study) if folder(cell).exists()} == {1}


def test_requests_are_the_same_whatever_the_engine_and_the_bursts(study: Study) -> None:
    simulated(study)
    lengths = columns(study, "requests.parquet", "prompt_tokens", "output_tokens")
    for cell, found in lengths.items():
        twin = replace(cell, engine="old", arrivals=Arrivals.gamma(1.0))
        assert np.array_equal(found, lengths[twin])
    sent = columns(study, "requests.parquet", "planned_send_s")
    for cell, found in sent.items():
        assert np.array_equal(found, sent[replace(cell, engine="old", workload="random-64-16")])
    seeds = {
        cell.seed: found.tobytes() for cell, found in lengths.items() if cell.workload == "synthetic-talk"
    }
    assert len(set(seeds.values())) == 3


def test_every_token_is_in_the_iterations(study: Study) -> None:
    simulated(study)
    for cell in cells(study):
        requests, log = (
            pd.read_parquet(folder(cell) / f"{name}.parquet") for name in ("requests", "iterations")
        )
        assert log["context_tokens"].sum() == requests["prompt_tokens"].sum()
        assert log["generation_tokens"].sum() == requests["output_tokens"].sum() - len(requests)


def test_gates_that_read_tables_are_judged_and_those_of_a_machine_do_not_apply(study: Study) -> None:
    cell = cells(study)[0]
    record = simulate_cell(study, cell, Places())
    outcomes = {gate.name: gate.state for gate in record.gates}
    assert record.failed_gates == record.unjudged_gates == ()
    for name in (
        "plan-as-nominal",
        "rate-delivered",
        "few-preemptions",
        "log-complete",
        "outputs-full-length",
        "steady",
    ):
        assert outcomes[name] == "passed", name
    for name in ("client-punctual", "attention-backend", "gpu-clocks", "cores-to-itself", "no-drift"):
        assert outcomes[name] == "not applicable", name
    assert judge_cell(folder(cell)) == record.gates


def test_a_trace_is_replayed_and_a_synthetic_one_needs_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = simulated_config()
    config["blocks"][0] |= {"traces": ["synthetic-talk"], "burstiness": []}
    study = in_folder(tmp_path, config)
    (cell, other, *_) = cells(study)
    first, second = (simulate_cell(study, one, Places()) for one in (cell, other))
    assert first.cell.arrivals.trace == "synthetic-talk"
    assert first.summary["planned_cv"] != second.summary["planned_cv"], (
        "each seed is another part of the trace"
    )
    assert pd.read_parquet(folder(cell) / "requests.parquet")["planned_send_s"].iloc[-1] == pytest.approx(4.0)


def overloaded(tmp_path: Path, **engine: Any) -> Study:
    config = simulated_config()
    config["engines"]["new"] |= engine
    config["workloads"]["random-64-16"]["input_tokens"] = 600
    config["blocks"][0] |= {"engines": ["new"], "workloads": ["random-64-16"], "seeds": [0]}
    return in_folder(tmp_path, config)


def test_a_request_that_can_never_be_served_fails_its_cell_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    study = overloaded(tmp_path, chunked_prefill=False, max_batched_tokens=512)
    (session,) = sessions(cells(study), study)
    records = {folder(cell) / "cell.json" for cell in session.cells}
    failed = simulate_session(study, session, records, Places(), Path("session.json"), lambda line: None)
    assert set(failed) == {cell.id for cell in session.cells}
    assert "is never scheduled" in failed[session.cells[0].id]
    assert json.loads(Path("session.json").read_text())["measured"] == []


def profiled_config() -> dict[str, Any]:
    config = simulated_config()
    block = config["blocks"][0] | {"engines": ["old"], "workloads": ["random-64-16"], "seeds": [0]}
    config["profiles"] = {"profiler": "nsys", "requests": 20, "blocks": [block]}
    return config


def test_a_profiled_run_has_the_tables_of_a_profile_in_a_folder_of_its_own(study: Study) -> None:
    runs = runs_of(in_folder(study.root, profiled_config()))
    cell = cells(runs)[0]
    simulate_cell(runs, cell, Places().of_profiles())
    place = Path("results/profiles/cells") / cell.id
    assert sorted(path.name for path in place.iterdir()) == [
        "cell.json",
        "iterations.parquet",
        "kernels.parquet",
        "profiled_iterations.parquet",
        "requests.parquet",
    ]
    record = check_folder(place, cell)
    assert (record.evidence, record.summary["output_tokens"]) == ("simulated", 20 * 16)
    iterations = pd.read_parquet(place / "iterations.parquet")
    profiled = pd.read_parquet(place / "profiled_iterations.parquet")
    assert profiled["duration_us"].to_numpy() == pytest.approx(iterations["elapsed_ms"].to_numpy() * 1000)
    assert set(pd.read_parquet(place / "kernels.parquet")["part"]) == {"attention", "gdn", "gemm", "other"}


def test_how_kernels_would_be_recorded_identifies_no_simulated_run(study: Study) -> None:
    found = in_folder(study.root, profiled_config())
    assert found.profiles is not None
    torch = found.model_copy(update={"profiles": found.profiles.model_copy(update={"profiler": "torch"})}).at(
        found.root
    )
    cell = cells(runs_of(found))[0]
    assert specifications([cell], runs_of(found)) == specifications([cell], runs_of(torch))


def test_another_way_to_make_a_profile_makes_simulated_runs_stale_and_no_cell(
    study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = in_folder(study.root, profiled_config())
    runs = runs_of(found)
    of_cells, of_runs = (specifications(cells(one), one) for one in (found, runs))
    monkeypatch.setattr("burstlab.study.specification.PROFILE_PROTOCOL", 99)
    assert specifications(cells(found), found.at(found.root)) == of_cells
    again = runs_of(found.at(found.root))
    assert all(specifications([run], again)[run] != asked for run, asked in of_runs.items())


def test_the_job_simulates_the_profiled_runs(study: Study) -> None:
    config = profiled_config()
    runs = runs_of(in_folder(study.root, config))
    (session,) = sessions(cells(runs), runs)
    places = Places().of_profiles()
    wanted = [places.cell(cell) / "cell.json" for cell in session.cells]
    Path("log").mkdir()
    simulate_from_workflow(
        config=config, session_id=session.id, wanted=wanted, log=Path("log/session.log"), of_profiles=True
    )
    assert all(path.is_file() for path in wanted)
    assert not Path("results/cells").exists()
