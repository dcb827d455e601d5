import pytest
from tests.doctor.conftest import FakeMachine, Make

from burstlab.doctor import memory


@pytest.mark.parametrize(
    ("kvcache_gib", "level"), [(2.0, "ok"), (40.0, "warning"), (64.0, "error"), (500.0, "error")]
)
def test_the_kv_cache_must_fit_into_the_machine(subject: Make, kvcache_gib: float, level: str) -> None:
    machine = FakeMachine(memory_gib=64, available_gib=32)
    made = subject(machine, platforms={"cpu": {"kind": "cpu", "kvcache_gib": kvcache_gib}})
    (found,) = memory.check(made)
    assert (found.level, found.path) == (level, ("platforms", "cpu", "kvcache_gib"))


def test_a_gpus_memory_is_not_the_machines(subject: Make) -> None:
    assert list(memory.check(subject())) == []
