"""CPU time is that of the session's cores, and its own processes are told from others."""

import subprocess
import sys

from burstlab.session.cpu_time import CpuReading, core_rows, passed_between, read_cpu

STAT = """\
cpu  30 0 30 300 0 0 0 3
cpu0 10 0 10 100 0 0 0 1
cpu1 20 0 20 200 0 0 0 2
intr 5
"""
# Uses 0.3 s of CPU, however long that takes.
WORK = "import time\nwhile time.process_time() < 0.3: pass"


def test_only_the_sessions_cores_count() -> None:
    assert core_rows(STAT, [1]) == [[20, 0, 20, 200, 0, 0, 0, 2]]


def test_where_a_core_is_not_listed_all_count() -> None:
    assert len(core_rows(STAT, [1, 7])) == 2


def test_what_a_child_used_is_own_time_after_it_ended() -> None:
    before = read_cpu()
    subprocess.run([sys.executable, "-c", WORK], check=True)
    passed = passed_between(before, read_cpu())
    assert passed.own_s >= 0.25
    assert passed.cores >= 1


def test_time_that_seems_to_run_backwards_is_none() -> None:
    before = CpuReading(clock_s=10.0, cores=2, busy_s=5.0, interrupts_s=1.0, steal_s=0.5, own_s=4.0)
    after = CpuReading(clock_s=12.0, cores=2, busy_s=8.0, interrupts_s=0.9, steal_s=0.5, own_s=6.0)
    passed = passed_between(before, after)
    assert (passed.wall_s, passed.busy_s, passed.own_s) == (2.0, 3.0, 2.0)
    assert (passed.interrupts_s, passed.steal_s) == (0.0, 0.0)
