from tests.doctor.conftest import FakeMachine, Make

from burstlab.doctor import profiler
from burstlab.doctor.machine import Output


def test_the_version_of_nsys_is_told(subject: Make) -> None:
    said = "NVIDIA Nsight Systems version 2025.3.2.474-253236389321v0\n"
    (found,) = profiler.check(subject(FakeMachine({"nsys --version": said})))
    assert (found.level, found.found) == ("ok", said.strip())


def test_without_nsys_there_are_no_kernel_profiles_but_cells(subject: Make) -> None:
    (missing,) = profiler.check(subject())
    (broken,) = profiler.check(subject(FakeMachine({"nsys": Output(1, "", "no libraries")})))
    assert missing.level == broken.level == "warning"
    assert "no libraries" in broken.found


def test_a_cpu_study_needs_no_nsys(subject: Make) -> None:
    assert list(profiler.check(subject(platforms={"cpu": {"kind": "cpu"}}))) == []
