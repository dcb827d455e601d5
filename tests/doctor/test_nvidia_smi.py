from tests.doctor.conftest import A100, TWO_H200, FakeMachine, smi

from burstlab.doctor.machine import Output
from burstlab.doctor.nvidia_smi import Gpu, GpuProcess, read_gpus


def test_gpus_are_read_with_driver_and_memory() -> None:
    (gpu,) = read_gpus(FakeMachine(smi(A100))).found
    assert gpu == Gpu("0", "GPU-bbbb-0", "NVIDIA A100-SXM4-40GB", "550.127.08", 40960, 4)


def test_a_gpu_that_tells_no_memory_is_a_gpu_all_the_same() -> None:
    (gpu,) = read_gpus(FakeMachine(smi("0, GPU-c, NVIDIA GB10, 580.95.05, [N/A], [N/A]\n"))).found
    assert gpu.memory_mib is None and gpu.used_mib is None


def test_processes_are_read_even_with_hidden_names_and_commas() -> None:
    listing = "GPU-aaaa-0, 4242, /usr/bin/python3, 1200\nGPU-aaaa-1, 7, [Insufficient Permissions], [N/A]\n"
    found = read_gpus(FakeMachine(smi(TWO_H200, listing + "GPU-aaaa-1, 8, odd, name, 5\n"))).processes
    assert found == (
        GpuProcess("GPU-aaaa-0", "4242", "/usr/bin/python3", 1200),
        GpuProcess("GPU-aaaa-1", "7", "[Insufficient Permissions]", None),
        GpuProcess("GPU-aaaa-1", "8", "odd, name", 5),
    )


def test_only_gpus_that_may_be_used_count_and_processes_on_them() -> None:
    listing = "GPU-aaaa-0, 1, a, 1\nGPU-aaaa-1, 2, b, 1\n"
    for visible in ("1", "GPU-aaaa-1"):
        found = read_gpus(FakeMachine(smi(TWO_H200, listing), {"CUDA_VISIBLE_DEVICES": visible}))
        assert [gpu.index for gpu in found.found] == ["1"]
        assert [process.name for process in found.processes] == ["b"]


def test_it_is_said_why_there_are_none() -> None:
    said = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."
    assert "no nvidia-smi" in read_gpus(FakeMachine()).why_none
    assert said in read_gpus(FakeMachine({"nvidia-smi": Output(9, said)})).why_none
    assert "lists no GPU" in read_gpus(FakeMachine(smi("No devices were found\n"))).why_none
    hidden = read_gpus(FakeMachine(smi(TWO_H200), {"CUDA_VISIBLE_DEVICES": ""}))
    assert hidden.found == () and "CUDA_VISIBLE_DEVICES is ''" in hidden.why_none
