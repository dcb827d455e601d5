from copy import deepcopy
from typing import Any

import pytest
from tests.doctor.conftest import STUDY, FakeMachine, Make

from burstlab.doctor import profiler
from burstlab.doctor.machine import Output
from burstlab.doctor.preflight import preflight
from burstlab.doctor.subject import Subject
from burstlab.study.expand import cells, sessions
from burstlab.study.profiled import profiled

SAID = "NVIDIA Nsight Systems version 2025.3.2.474-253236389321v0\n"


def recorded(subject: Make, machine: FakeMachine, **changes: Any) -> Subject:
    """The profiled runs of the made-up study."""
    blocks = deepcopy(STUDY["blocks"])
    study = subject(profiles={"profiler": "nsys", "blocks": blocks, **changes}).study
    runs = profiled(study)
    assert runs is not None
    return Subject(runs, sessions(cells(runs), runs), machine)


def test_the_version_of_nsys_is_told(subject: Make) -> None:
    (found,) = profiler.check(subject(FakeMachine({"nsys --version": SAID})))
    assert (found.level, found.found) == ("ok", SAID.strip())


def test_without_nsys_there_are_no_kernel_profiles_but_cells(subject: Make) -> None:
    (missing,) = profiler.check(subject())
    (broken,) = profiler.check(subject(FakeMachine({"nsys": Output(1, "", "no libraries")})))
    assert missing.level == broken.level == "warning"
    assert "no libraries" in broken.found


def test_a_cpu_study_needs_no_nsys(subject: Make) -> None:
    assert list(profiler.check(subject(platforms={"cpu": {"kind": "cpu"}}))) == []


@pytest.mark.parametrize(
    ("answers", "level", "said"),
    [
        ({"nsys --version": SAID}, "ok", "2025.3.2"),
        ({}, "error", "not on PATH"),
        ({"nsys": Output(1, "", "no libraries")}, "error", "no libraries"),
        ({"nsys --version": "what?\n"}, "error", "what?"),
        (
            {"nsys --version": "NVIDIA Nsight Systems version 2021.5.1.77-4a17e7d\n"},
            "error",
            "version 2021.5.1.77-4a17e7d; the first that traces what is in a CUDA graph is 2022.1",
        ),
    ],
)
def test_runs_that_nsys_records_need_it(
    subject: Make, answers: dict[str, Output | str], level: str, said: str
) -> None:
    (found,) = profiler.check(recorded(subject, FakeMachine(answers)))
    assert (found.level, found.path) == (level, ("profiles", "profiler"))
    assert said in found.found


def test_a_run_does_not_start_without_it(subject: Make) -> None:
    runs = recorded(subject, FakeMachine())
    here = [one.level for one in preflight(runs, remote=False) if one.check == profiler.CHECK]
    elsewhere = [one.level for one in preflight(runs, remote=True) if one.check == profiler.CHECK]
    assert (here, elsewhere) == (["error"], ["warning"])


def test_runs_that_torch_records_do_without(subject: Make) -> None:
    assert list(profiler.check(recorded(subject, FakeMachine(), profiler="torch"))) == []
