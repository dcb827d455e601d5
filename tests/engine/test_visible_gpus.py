"""Which GPUs a process may lease, by UUID, and what CUDA is told of them."""

from pathlib import Path

import pytest

from burstlab.engine.visible_gpus import visible_gpus
from burstlab.errors import BurstlabError

THREE = {"GPU-aa1": "0", "GPU-ab2": "1", "GPU-b3": "2"}


@pytest.fixture(autouse=True)
def nvidia_smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An nvidia-smi that lists three GPUs, first on PATH."""
    program = tmp_path / "nvidia-smi"
    lines = "\\n".join(f"{uuid}, {index}" for uuid, index in THREE.items())
    program.write_text(f'#!/bin/sh\n[ "$1" = --query-gpu=uuid,index ] || exit 9\nprintf "{lines}\\n"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    return program


def test_all_of_the_machine() -> None:
    assert visible_gpus({}) == THREE


@pytest.mark.parametrize(
    ("allowed", "chosen"),
    [
        ("1", ["GPU-ab2"]),
        ("2,0", ["GPU-b3", "GPU-aa1"]),  # the order is kept
        (" 1 , GPU-b3", ["GPU-ab2", "GPU-b3"]),
        ("GPU-b", ["GPU-b3"]),  # CUDA takes the beginning of a UUID
        ("1,1", ["GPU-ab2"]),
        ("", []),
        ("-1", []),
        ("1,-1,2", ["GPU-ab2"]),  # nothing after an invalid one
        ("NoDevFiles", []),
    ],
)
def test_cuda_visible_devices_chooses_among_them(allowed: str, chosen: list[str]) -> None:
    found = visible_gpus({"CUDA_VISIBLE_DEVICES": allowed})
    assert list(found) == chosen
    assert found == {uuid: THREE[uuid] for uuid in chosen}


def test_a_slice_of_a_gpu_is_called_by_its_own_name() -> None:
    assert visible_gpus({"CUDA_VISIBLE_DEVICES": "MIG-7"}) == {"MIG-7": "MIG-7"}


@pytest.mark.parametrize(
    ("allowed", "said"),
    [
        ("3", "'3', which is no GPU of this machine; here are: 0 = GPU-aa1, 1 = GPU-ab2"),
        ("GPU-c", "'GPU-c', which is no GPU"),
        ("GPU-a", "'GPU-a', which is more than one GPU"),
    ],
)
def test_a_gpu_that_is_not_there_is_an_error(allowed: str, said: str) -> None:
    with pytest.raises(BurstlabError, match=f"CUDA_VISIBLE_DEVICES names {said}"):
        visible_gpus({"CUDA_VISIBLE_DEVICES": allowed})


def test_no_driver_is_a_clear_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "nvidia-smi").unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(BurstlabError, match="no nvidia-smi on this machine"):
        visible_gpus({"CUDA_VISIBLE_DEVICES": "0"})


def test_a_failing_driver_is_told_in_its_own_words(nvidia_smi: Path) -> None:
    nvidia_smi.write_text("#!/bin/sh\necho 'Driver/library version mismatch'\nexit 18\n")
    with pytest.raises(BurstlabError, match="Driver/library version mismatch"):
        visible_gpus({})
