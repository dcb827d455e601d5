from pathlib import Path
from typing import Any

import pytest
from tests.simulated_study import in_folder

from burstlab.exact_batches.targets import (
    asked_for,
    engines_simulated,
    engines_timed,
    files_of,
    kept,
    times_file,
    to_show,
    untimed,
)
from burstlab.simulator.costs.roofline.constants import varied
from burstlab.study.cells import Cell, Session
from burstlab.study.expand import cells
from burstlab.study.load import load_study
from burstlab.study.profiled import profiled
from burstlab.study.schema import Study

BLOCK = {
    "platforms": ["cpu"],
    "models": ["a", "b"],
    "engines": ["e"],
    "workloads": ["w"],
    "rates": [1],
    "burstiness": [1.0],
    "seeds": [0],
}


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lock.txt").write_text("vllm==0.32.0\n")
    return {
        "name": "tried",
        "platforms": {"cpu": {"kind": "cpu"}},
        "environments": {"v": {"lock": "lock.txt"}},
        "models": {"a": {"build": "tiny-gqa"}, "b": {"build": "tiny-gdn"}},
        "engines": {"e": {"environment": "v", "max_model_len": 2048}},
        "workloads": {"w": {"dataset": "random", "requests": 2, "input_tokens": 8, "output_tokens": 4}},
        "blocks": [BLOCK],
        "profiles": {"blocks": [BLOCK | {"burstiness": [1.0, 0.1]}]},
    }


def asked(config: dict[str, Any]) -> tuple[Study, list[Cell]]:
    study = load_study(config, [], Path.cwd())
    runs = profiled(study)
    assert runs is not None
    return study, list(cells(runs))


def file_of(config: dict[str, Any]) -> str:
    study, _ = asked(config)
    return times_file(study, Session("cpu", "a", "e", 0, ()))


def test_each_engine_of_profiled_runs_once(config: dict[str, Any]) -> None:
    assert [one.id for one in engines_timed(*asked(config))] == ["cpu/a/e/0", "cpu/b/e/0"]


@pytest.mark.parametrize(
    ("section", "change"),
    [
        ("engines", {"e": {"environment": "v", "max_model_len": 1500}}),
        ("engines", {"e": {"environment": "v", "max_model_len": 2048, "arguments": {"block-size": 32}}}),
        ("models", {"a": {"build": "tiny-gdn"}, "b": {"build": "tiny-gdn"}}),
    ],
    ids=["limit", "argument", "model"],
)
def test_another_question_is_another_file(config: dict[str, Any], section: str, change: Any) -> None:
    before = file_of(config)
    assert file_of(config | {section: change}) != before


def test_another_lock_is_another_question(config: dict[str, Any]) -> None:
    before = file_of(config)
    Path("lock.txt").write_text("vllm==0.33.0\n")
    assert file_of(config) != before


def test_what_no_batch_depends_on_changes_nothing(config: dict[str, Any]) -> None:
    before = file_of(config)
    workload = {"w": {"dataset": "random", "requests": 9, "input_tokens": 8, "output_tokens": 4}}
    assert file_of(config | {"name": "other", "workloads": workload}) == before


def test_what_was_timed_is_not_timed_again(config: dict[str, Any]) -> None:
    study, runs = asked(config)
    one = Path(times_file(study, engines_timed(study, runs)[0]))
    one.parent.mkdir(parents=True)
    one.write_text("{}")
    assert [session.model for session in untimed(study, runs)] == ["b"]
    assert len(to_show(study, runs)) == 2


def test_a_study_that_measures_nothing_shows_what_is_there(config: dict[str, Any]) -> None:
    study, runs = asked(config | {"mode": "cached"})
    assert to_show(study, runs) == []
    one = Path(times_file(study, engines_timed(study, runs)[0]))
    one.parent.mkdir(parents=True)
    one.write_text("{}")
    assert to_show(study, runs) == [str(one)]


def test_the_files_of_a_platform(config: dict[str, Any]) -> None:
    study, runs = asked(config)
    assert files_of(study, runs, "cpu") == to_show(study, runs)
    assert files_of(study, runs, "gh200") == []


def test_simulated_engines_are_those_of_simulated_cells(config: dict[str, Any]) -> None:
    study, runs = asked(config)
    assert engines_simulated(study, runs) == []
    foretold = in_folder(Path.cwd())
    predicted = list(cells(foretold))
    assert [one.id for one in engines_simulated(foretold, predicted)] == [
        "gh200-simulated/qwen3.5-9b/new/0",
        "gh200-simulated/qwen3.5-9b/old/0",
    ]
    assert len(to_show(foretold, [], predicted)) == 2
    assert engines_timed(foretold, predicted) == []


def test_another_constant_is_another_file_of_a_simulated_engine(config: dict[str, Any]) -> None:
    foretold = in_folder(Path.cwd())
    [_, old] = engines_simulated(foretold, list(cells(foretold)))
    before = times_file(foretold, old)
    with varied({"gh200.hbm": 0.5}):
        assert times_file(foretold, old) != before
    assert times_file(foretold, old) == before


def test_files_of_simulated_engines_are_kept_too(config: dict[str, Any]) -> None:
    foretold = in_folder(Path.cwd())
    first, _ = engines_simulated(foretold, list(cells(foretold)))
    path = Path(times_file(foretold, first))
    path.parent.mkdir(parents=True)
    path.write_text("{}")
    assert [file.name for file in kept(foretold)] == [path.name]


def test_the_list_of_files_is_written_anew_where_they_are_others(tmp_path: Path) -> None:
    own, theirs = "results/of-this-study.json", tmp_path / "collected.json"
    theirs.write_text("{}")
    listed = Path(asked_for([own], [str(theirs)], tmp_path / "memory"))
    first = listed.stat()
    assert asked_for([own], [str(theirs)], tmp_path / "memory") == str(listed)
    assert (listed.stat().st_mtime_ns, listed.stat().st_ino) == (first.st_mtime_ns, first.st_ino)
    before = listed.read_text()
    theirs.write_text("{ }")
    asked_for([own], [str(theirs)], tmp_path / "memory")
    assert listed.read_text() != before
