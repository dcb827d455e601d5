"""Sessions fit the time limit of their jobs; numbers worked out by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.errors import BurstlabError
from burstlab.slurm.cut import PLANNED_SHARE, fitted
from burstlab.slurm.durations import OVERHEAD_S, START_S, UNKNOWN_CAPACITY_PER_S, WARM_UP_S, durations
from burstlab.study.cells import Cell
from burstlab.study.expand import cells, sessions
from burstlab.study.load import load_study
from burstlab.study.schema import Study

Load = Callable[..., Study]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    return loader(tmp_path)


def loader(tmp_path: Path) -> Load:
    """Loads a study of one GPU platform with cells of 60 s of arrivals each; `slurm` and `block` change it."""
    (tmp_path / "lock.txt").write_text("vllm==0.33.0\n")

    def made(slurm: dict[str, Any] | None, **block: Any) -> Study:
        config = {
            "name": "s",
            "platforms": {"gpu": {"kind": "cuda", **({} if slurm is None else {"slurm": slurm})}},
            "environments": {"v": {"lock": "lock.txt"}},
            "models": {"m": {"hub": "a/b"}},
            "engines": {"e": {"environment": "v"}},
            "workloads": {"w": {"dataset": "random", "requests": 600, "input_tokens": 8, "output_tokens": 4}},
            "blocks": [
                {
                    "platforms": ["gpu"],
                    "models": ["m"],
                    "engines": ["e"],
                    "workloads": ["w"],
                    "rates": [10],
                    "burstiness": [1.0],
                    "seeds": list(range(10)),
                }
                | block
            ],
        }
        return load_study(config, [], tmp_path)

    return made


def record(results: Path, cell: Cell, wall_s: float, start_s: float) -> None:
    folder = results / "cells" / cell.id
    folder.mkdir(parents=True)
    (folder / "cell.json").write_text(
        json.dumps({"times": {"cell_wall_s": wall_s, "engine_start_s": start_s}})
    )


def sizes(study: Study, results: Path, finished: tuple[Cell, ...] = ()) -> list[int]:
    left = [cell for cell in cells(study) if cell not in finished]
    expected = durations(study, cells(study), finished, results)
    return [len(session.cells) for session in fitted(sessions(left, study), study, expected)]


def test_without_a_cluster_nothing_is_cut(load: Load, tmp_path: Path) -> None:
    assert sizes(load(None), tmp_path) == [10]


def test_what_was_never_measured_is_taken_to_last_its_arrivals_and_an_overhead(
    load: Load, tmp_path: Path
) -> None:
    # 60 minutes, of which 2880 s are planned for; 960 s for the start leave 1920 s, which are 16 cells of 120 s.
    assert (START_S["cuda"], WARM_UP_S, OVERHEAD_S, PLANNED_SHARE) == (900, 60, 60, 0.8)
    assert sizes(load({"runtime_minutes": 60}, seeds=list(range(40))), tmp_path) == [16, 16, 8]


def test_measured_durations_take_the_place_of_guesses(load: Load, tmp_path: Path) -> None:
    study = load({"runtime_minutes": 30})
    first, second, *_ = cells(study)
    # 30 minutes: 1440 s; 960 s leave 480 s: four cells of 120 s.
    assert sizes(study, tmp_path) == [4, 4, 2]
    record(tmp_path, first, wall_s=80, start_s=40)
    record(tmp_path, second, wall_s=90, start_s=100)
    # The longest of both: 1440 s less 160 s are 1280 s: 14 cells of 90 s.
    assert sizes(study, tmp_path, (first, second)) == [8]


def test_another_rate_of_the_same_group_lends_its_overhead(load: Load, tmp_path: Path) -> None:
    study = load({"runtime_minutes": 30}, rates=[10, 20])
    (first, *_) = cells(study)
    record(tmp_path, first, wall_s=260, start_s=100)  # 200 s more than its arrivals
    slower = next(cell for cell in cells(study) if cell.rate == 20)
    assert durations(study, cells(study), (first,), tmp_path).of_cell(slower) == 30 + 200


def test_all_at_once_is_taken_to_last_as_long_as_the_slowest_rate(load: Load, tmp_path: Path) -> None:
    alone = load({"runtime_minutes": 60}, rates=["inf"])
    (cell, *_) = cells(alone)
    assert durations(alone, cells(alone), (), tmp_path).of_cell(cell) == 600 / UNKNOWN_CAPACITY_PER_S + 60


def test_a_cell_that_fits_no_job_is_an_error_that_says_what_would_do(load: Load, tmp_path: Path) -> None:
    # 960 s and 6060 s are 7020 s; over 0.8 that is 146.25 minutes.
    with pytest.raises(
        BurstlabError, match=r"platforms\.gpu\.slurm\.runtime_minutes = 60: .*give at least 147"
    ):
        sizes(load({"runtime_minutes": 60}, rates=[0.1]), tmp_path)
    assert sizes(load({"runtime_minutes": 147}, rates=[0.1], seeds=[0]), tmp_path) == [1]


@given(minutes=st.integers(23, 300), seeds=st.integers(1, 60))
def test_every_cell_is_in_one_session_and_every_session_fits(
    tmp_path_factory: pytest.TempPathFactory, minutes: int, seeds: int
) -> None:
    folder = tmp_path_factory.getbasetemp() / "any"
    folder.mkdir(exist_ok=True)
    study = loader(folder)({"runtime_minutes": minutes}, seeds=list(range(seeds)))
    expected = durations(study, cells(study), (), folder)
    found = fitted(sessions(cells(study), study), study, expected)
    assert [cell for session in found for cell in session.cells] == list(cells(study))
    assert len({session.id for session in found}) == len(found)
    for session in found:
        total_s = expected.of_start(session.cells[0]) + sum(map(expected.of_cell, session.cells))
        assert total_s <= PLANNED_SHARE * 60 * minutes
