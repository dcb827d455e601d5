"""A study's profiled runs are cells of a study of their own."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from burstlab.errors import BurstlabError
from burstlab.study.expand import cells
from burstlab.study.load import read_study
from burstlab.study.profiled import ProfiledEngine, profiled
from burstlab.study.schema import Study
from burstlab.study.specification import specification

StudyOf = Callable[[dict[str, Any]], Study]


def with_profiles(small: dict[str, Any], **changes: Any) -> dict[str, Any]:
    small["profiles"] = {"requests": 25, "blocks": [{**small["blocks"][0], "seeds": [7]}]} | changes
    return small


def runs_of(study: Study) -> Study:
    runs = profiled(study)
    assert runs is not None
    return runs


def test_without_the_section_there_are_none(small: dict[str, Any], study_of: StudyOf) -> None:
    assert profiled(study_of(small)) is None


def test_runs_are_those_of_their_own_blocks(small: dict[str, Any], study_of: StudyOf) -> None:
    study = study_of(with_profiles(small))
    assert [cell.seed for cell in cells(study)] == [0, 1, 0, 1]
    assert [cell.seed for cell in cells(runs_of(study))] == [7, 7]


def test_they_send_as_many_requests_as_the_section_says(small: dict[str, Any], study_of: StudyOf) -> None:
    study = study_of(with_profiles(small))
    assert study.workloads["random"].requests == 10
    assert runs_of(study).workloads["random"].requests == 25


def test_the_profiler_is_a_part_of_what_was_measured(small: dict[str, Any], study_of: StudyOf) -> None:
    study = study_of(with_profiles(small))
    runs = runs_of(study)
    assert isinstance(runs.engines["plain"], ProfiledEngine)
    (run, *_) = cells(runs)
    assert specification(run, runs)["engine"]["profiler"] == "torch"
    assert "profiler" not in specification(cells(study)[0], study)["engine"]


def test_what_becomes_of_a_trace_is_no_part_of_what_was_measured(
    small: dict[str, Any], study_of: StudyOf
) -> None:
    runs, kept = (runs_of(study_of(with_profiles(small, keep_traces=keep))) for keep in (False, True))
    (run, *_) = cells(runs)
    assert specification(run, runs) == specification(run, kept)
    engine = kept.engines["plain"]
    assert isinstance(engine, ProfiledEngine)
    assert engine.keep_trace


def test_what_nsys_is_told_is_a_part_of_it(small: dict[str, Any], study_of: StudyOf) -> None:
    small["platforms"]["cpu"] = {"kind": "cuda"}
    asked = {"profiler": "nsys", "nsys_arguments": ["--gpu-metrics-devices=all"]}
    runs = runs_of(study_of(with_profiles(small, **asked)))
    engine = specification(cells(runs)[0], runs)["engine"]
    assert (engine["profiler"], engine["nsys_arguments"]) == ("nsys", ["--gpu-metrics-devices=all"])


def test_nsys_does_not_see_into_an_image(small: dict[str, Any], study_of: StudyOf) -> None:
    small["platforms"]["cpu"] = {"kind": "cuda"}
    name = small["engines"]["plain"]["environment"]
    small["environments"][name] = {"apptainer": "vllm.sif"}
    with pytest.raises(
        BurstlabError, match=f"profiles.profiler.*Apptainer image, which environment {name} is"
    ):
        study_of(with_profiles(small, profiler="nsys"))


def test_profiles_change_no_specification_of_the_study(small: dict[str, Any], study_of: StudyOf) -> None:
    plain = study_of(small)
    before = specification(cells(plain)[0], plain)
    study = study_of(with_profiles(small))
    assert specification(cells(study)[0], study) == before


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"requets": 3}, "profiles.requets"),
        ({"requests": 0}, "profiles.requests"),
        ({"profiler": "gprof"}, "profiles.profiler"),
        ({"profiler": "nsys"}, "profiles.profiler.*opens no ranges for it on platform cpu, which is a CPU"),
        (
            {"nsys_arguments": ["--gpu-metrics-devices=all"]},
            "profiles.nsys_arguments.*only goes with profiler: nsys",
        ),
        ({"keep_traces": 1}, "profiles.keep_traces"),
        ({"blocks": []}, "profiles.blocks"),
    ],
)
def test_mistakes_are_named(
    small: dict[str, Any], study_of: StudyOf, changes: dict[str, Any], said: str
) -> None:
    with pytest.raises(BurstlabError, match=said):
        study_of(with_profiles(small, **changes))


def test_a_name_that_leads_nowhere_is_named_where_it_stands(small: dict[str, Any], study_of: StudyOf) -> None:
    block = {**small["blocks"][0], "models": ["lama"]}
    with pytest.raises(BurstlabError, match=r"profiles\.blocks\[0\]\.models\[0\].*lama"):
        study_of(with_profiles(small, blocks=[block]))


def test_runs_of_a_group_without_cells_are_refused(small: dict[str, Any], study_of: StudyOf) -> None:
    block = {**small["blocks"][0], "models": ["local"]}
    with pytest.raises(BurstlabError, match=r"profiles\.blocks\[0\].*cpu/local/plain/random"):
        study_of(with_profiles(small, blocks=[block]))


def test_more_requests_than_a_dataset_has_rows_are_refused(small: dict[str, Any], study_of: StudyOf) -> None:
    small["datasets"]["stand-in"]["rows"] = 20
    small["blocks"][0]["workloads"] = ["talk"]
    with pytest.raises(BurstlabError, match=r"profiles\.requests.*20 of dataset stand-in"):
        study_of(with_profiles(small, blocks=[{**small["blocks"][0], "workloads": ["talk"]}]))


def test_the_quick_study_profiles_a_run(root: Path) -> None:
    (run,) = cells(runs_of(read_study(root / "config/quick.yaml", root)))
    assert run.model == "tiny-gqa"
