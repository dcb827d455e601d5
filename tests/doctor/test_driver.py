from pathlib import Path

import pytest
from tests.doctor.conftest import A100, H200, FakeMachine, Make, smi

from burstlab.doctor import driver


def test_a_new_driver_runs_cuda_13(subject: Make) -> None:
    (found,) = driver.check(subject(FakeMachine(smi(H200))))
    assert (found.level, found.found) == ("ok", "NVIDIA driver 580.82.07")


def test_an_old_driver_is_an_error_of_the_lock_that_needs_a_newer_one(subject: Make) -> None:
    (found,) = driver.check(subject(FakeMachine(smi(A100))))
    assert (found.level, found.path) == ("error", ("environments", "vllm", "lock"))
    assert "CUDA 13 needs a driver of version 580 or newer" in found.found


def test_an_environment_of_ones_own_is_not_held_against_the_driver(subject: Make) -> None:
    own = subject(FakeMachine(smi(A100)), environments={"vllm": {"python": "/opt/python"}})
    assert [found.level for found in driver.check(own)] == ["ok"]


@pytest.mark.parametrize(
    ("lock", "major"),
    [
        ("nvidia-cuda-runtime-cu12==12.8.90 \\\n    --hash=sha256:aa\n", 12),
        ("nvidia-cuda-runtime==12.9.79\nnvidia-cuda-runtime==13.5.37 ; sys_platform == 'darwin'\n", 12),
        ("torch==2.13.0+cpu\n", None),
    ],
)
def test_cuda_is_read_from_a_lock(lock: str, major: int | None) -> None:
    assert driver.cuda_of(lock) == major


def test_the_locks_that_ship_bring_the_cuda_that_their_name_says(root: Path) -> None:
    assert driver.cuda_of((root / "envs/vllm-cuda.txt").read_text()) == 13
    assert driver.cuda_of((root / "envs/vllm-cpu.txt").read_text()) is None
