from typing import Any

import pytest
from tests.doctor.conftest import FakeMachine, Make

from burstlab.doctor import cluster_limits
from burstlab.doctor.cluster_limits import Limits

SINFO = "sinfo --noheader --format=%P|%l|%m|%c"
LISTING = "short*|1:00:00|32768|16\nlong|2-12:30:00|65536+|32+\n"


def made(subject: Make, cores: int = 4, **slurm: Any) -> Any:
    platform = {"kind": "cuda", "cores": cores, "slurm": slurm}
    return subject(FakeMachine({SINFO: LISTING}), platforms={"gpu": platform})


def test_limits_are_read() -> None:
    assert cluster_limits.read(LISTING + "free|infinite|1|1\n") == [
        Limits("short", True, 60, 32768, 16),
        Limits("long", False, 3630, 65536, 32),
        Limits("free", False, None, 1, 1),
    ]


@pytest.mark.parametrize(("text", "minutes"), [("30:00", 30), ("1-00:00:00", 1440), ("n/a", None)])
def test_times_are_read_as_slurm_writes_them(text: str, minutes: int | None) -> None:
    assert cluster_limits.minutes(text) == minutes


@pytest.mark.parametrize(
    ("asked", "key"),
    [
        ({"runtime_minutes": 61}, ("slurm", "runtime_minutes")),
        ({"runtime_minutes": 60, "max_runtime_minutes": 61}, ("slurm", "max_runtime_minutes")),
        ({"runtime_minutes": 60, "memory_gib": 33}, ("slurm", "memory_gib")),
        ({"runtime_minutes": 60, "memory_gib": 32, "max_memory_gib": 33}, ("slurm", "max_memory_gib")),
        ({"runtime_minutes": 60, "cores": 17}, ("cores",)),
    ],
)
def test_more_than_a_node_or_the_partition_gives_is_an_error(
    subject: Make, asked: dict[str, int], key: tuple[str, ...]
) -> None:
    (found,) = cluster_limits.check(made(subject, **asked))
    assert (found.level, found.path) == ("error", ("platforms", "gpu", *key))


def test_as_much_as_there_is_may_be_asked_for(subject: Make) -> None:
    assert list(cluster_limits.check(made(subject, cores=16, runtime_minutes=60, memory_gib=32))) == []
    asked = made(subject, cores=32, partition="short,long", runtime_minutes=3630, memory_gib=64)
    assert list(cluster_limits.check(asked)) == []
