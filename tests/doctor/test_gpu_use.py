from tests.doctor.conftest import H200, FakeMachine, Make, smi

from burstlab.doctor import gpu_use


def test_a_gpu_of_ones_own_is_fine(subject: Make) -> None:
    (found,) = gpu_use.check(subject(FakeMachine(smi(H200))))
    assert (found.level, found.found) == ("ok", "GPU 0: 140.4 GiB of 140.4 GiB free, no other process")


def test_another_process_is_named(subject: Make) -> None:
    busy = smi(H200.replace(", 1\n", ", 10240\n"), "GPU-aaaa-0, 4242, python3, 10239\n")
    (found,) = gpu_use.check(subject(FakeMachine(busy)))
    assert found.level == "warning"
    assert "130.4 GiB of 140.4 GiB free" in found.found and "python3 (process 4242, 10.0 GiB)" in found.found


def test_memory_that_no_visible_process_holds_is_told(subject: Make) -> None:
    (found,) = gpu_use.check(subject(FakeMachine(smi(H200.replace(", 1\n", ", 102400\n")))))
    assert found.level == "warning" and "though no process is shown" in found.found


def test_a_gpu_that_tells_no_memory_is_no_fault(subject: Make) -> None:
    (found,) = gpu_use.check(subject(FakeMachine(smi("0, GPU-c, NVIDIA H200, 580.95.05, [N/A], [N/A]\n"))))
    assert found.level == "ok"
