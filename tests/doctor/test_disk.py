from tests.doctor.conftest import FakeMachine, Make

from burstlab.doctor import disk


def test_an_environment_for_gpus_needs_more_room_than_there_is(subject: Make) -> None:
    (found,) = disk.check(subject(FakeMachine(disk_gib=10)))
    assert found.level == "warning" and found.found.startswith("results/, resources/, .envs/: 10.0 GiB free")


def test_room_enough_is_fine(subject: Make) -> None:
    assert [found.level for found in disk.check(subject(FakeMachine(disk_gib=100)))] == ["ok"]


def test_each_token_of_each_cell_takes_room(subject: Make) -> None:
    # 1,000 requests of 1,000,000 tokens at 27 bytes each are 25 GiB.
    workload = {"dataset": "random", "requests": 1000, "input_tokens": 8, "output_tokens": 1_000_000}
    platforms = {"cpu": {"kind": "cpu"}}
    small = disk.check(subject(FakeMachine(disk_gib=20), platforms=platforms))
    large = disk.check(subject(FakeMachine(disk_gib=20), platforms=platforms, workloads={"short": workload}))
    assert [found.level for found in (*small, *large)] == ["ok", "warning"]
