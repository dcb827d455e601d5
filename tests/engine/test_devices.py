"""Which devices a machine offers."""

from pathlib import Path

import pytest

from burstlab.engine.devices import check_gpu_model, cpu_devices
from burstlab.errors import BurstlabError


@pytest.fixture
def nvidia_smi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An nvidia-smi that lists two GPUs, alone on PATH."""
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\nprintf '0\\n1\\n'\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    return program


def test_a_cpu_is_one_device() -> None:
    assert cpu_devices() == ["cpu"]


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("a100-40gb", "NVIDIA A100-SXM4-40GB"),
        ("gh200", "NVIDIA GH200 480GB"),
        ("h200", "NVIDIA H200"),
        ("h100_80gb", "NVIDIA H100 80GB HBM3"),
    ],
)
def test_a_platform_is_measured_on_its_own_gpu_model(nvidia_smi: Path, model: str, name: str) -> None:
    nvidia_smi.write_text(f"#!/bin/sh\nprintf '{name}\\n{name}\\n'\n")
    check_gpu_model(model, ["0", "1"])


@pytest.mark.parametrize(
    ("model", "name"), [("h200", "NVIDIA GH200 480GB"), ("a100-40gb", "NVIDIA A100-SXM4-80GB")]
)
def test_no_cell_bears_the_name_of_another_gpu(nvidia_smi: Path, model: str, name: str) -> None:
    nvidia_smi.write_text(f"#!/bin/sh\nprintf '{name}\\n'\n")
    with pytest.raises(BurstlabError, match=f"gpu_model is {model}, but GPU 0 is '{name}'"):
        check_gpu_model(model, ["0"])
