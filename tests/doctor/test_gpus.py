from tests.doctor.conftest import A100, H200, TWO_H200, FakeMachine, Make, smi

from burstlab.doctor import gpus


def test_the_right_gpu_is_fine(subject: Make) -> None:
    (found,) = gpus.check(subject(FakeMachine(smi(H200))))
    assert (found.level, found.path) == ("ok", ("platforms", "gpu"))


def test_a_cpu_study_is_not_asked_for_gpus(subject: Make) -> None:
    machine = FakeMachine()
    assert list(gpus.check(subject(machine, platforms={"cpu": {"kind": "cpu"}}))) == []
    assert machine.asked == []


def test_a_machine_without_gpu_is_one_error(subject: Make) -> None:
    (found,) = gpus.check(subject(FakeMachine()))
    assert (found.level, found.path) == ("error", ("platforms", "gpu", "gpus"))
    assert "no nvidia-smi" in found.found


def test_too_few_gpus_are_an_error(subject: Make) -> None:
    platform = {"kind": "cuda", "gpus": 4, "gpu_model": "h200"}
    (found,) = gpus.check(subject(FakeMachine(smi(TWO_H200)), platforms={"gpu": platform}))
    assert found.found == "a session takes 4 GPUs, this machine offers 2"


def test_another_model_is_an_error_at_its_key(subject: Make) -> None:
    (found,) = gpus.check(subject(FakeMachine(smi(A100))))
    assert (found.level, found.path) == ("error", ("platforms", "gpu", "gpu_model"))
    assert "GPU 0 is 'NVIDIA A100-SXM4-40GB'" in found.found


def test_of_two_kinds_of_gpu_the_right_ones_can_be_chosen(subject: Make) -> None:
    mixed = H200 + A100.replace("0,", "1,", 1)
    (found,) = gpus.check(subject(FakeMachine(smi(mixed))))
    assert "GPU 1 is" in found.found and found.cure == "let CUDA_VISIBLE_DEVICES name the others alone"
    assert [
        one.level for one in gpus.check(subject(FakeMachine(smi(mixed), {"CUDA_VISIBLE_DEVICES": "0"})))
    ] == ["ok"]
