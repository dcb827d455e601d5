from tests.doctor.conftest import H200, TWO_H200, FakeMachine, Make, smi

from burstlab.doctor.checkup import checkup, softened
from burstlab.doctor.finding import Finding


def test_a_gpu_machine_is_told_of_in_full(subject: Make, tmp_path: object) -> None:
    machine = FakeMachine(
        smi(H200) | {"nsys": "NVIDIA Nsight Systems version 2025.3\n"}, {"HF_HUB_OFFLINE": "1"}
    )
    found = checkup(subject(machine))
    assert [(one.check, one.level) for one in found] == [
        ("gpus", "ok"),
        ("driver", "ok"),
        ("gpu use", "ok"),
        ("disk", "ok"),
        ("environment", "ok"),
        ("model", "error"),
        ("nsys", "ok"),
    ]


def test_only_what_cells_use_is_checked(subject: Make) -> None:
    made = subject(FakeMachine(smi(TWO_H200)), environments={
        "vllm": {"lock": "lock.txt"}, "unused": {"python": "/no/python"},
    })  # fmt: skip
    assert all("unused" not in one.path for one in checkup(made))


def test_a_login_node_need_not_have_the_gpus_of_its_cluster(subject: Make) -> None:
    sinfo = {"sinfo --noheader --format=%P|%a|%f|%G": "gpu*|up|(null)|gpu:h200:4\n"}
    platform = {"kind": "cuda", "gpu_model": "h200", "cores": 4, "slurm": {}}
    found = {one.check: one for one in checkup(subject(FakeMachine(sinfo), platforms={"gpu": platform}))}
    assert found["gpus"].level == "warning" and "on a node where its sessions run" in found["gpus"].cure
    assert found["slurm"].level == "ok"


def test_what_is_no_error_stays_as_it_is() -> None:
    for finding in (
        Finding("gpus", "ok", "x"),
        Finding("slurm", "error", "x"),
        Finding("nsys", "warning", "x"),
    ):
        assert softened(finding) is finding
