"""CPU time of the machine and of the session's own processes, read before and after a benchmark.

`/proc/stat` has the time of each core in clock ticks: user, nice, system, idle, iowait, irq, softirq, steal (proc(5)). Only the
cores that this process may use count, so that other jobs on other cores of a cluster's node are not taken for disturbers.
"""

import os
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from burstlab.engine.guardian import descendants_of
from burstlab.records.observed import CpuTime

_PROC = Path("/proc")


@dataclass(frozen=True)
class CpuReading:
    """One reading; all in seconds since some start, `cores` is how many cores it is about."""

    clock_s: float
    cores: int
    busy_s: float
    interrupts_s: float
    steal_s: float
    own_s: float


def read_cpu() -> CpuReading:
    """Read the clocks now."""
    tick_s = 1 / os.sysconf("SC_CLK_TCK")
    rows = core_rows((_PROC / "stat").read_text(), os.sched_getaffinity(0))
    busy, interrupts, steal = (sum(column) * tick_s for column in zip(*map(_parts, rows), strict=True))
    own = sum(_ticks_of(pid) for pid in (os.getpid(), *descendants_of(os.getpid())))
    return CpuReading(time.monotonic(), len(rows), busy, interrupts, steal, own * tick_s)


def core_rows(text: str, cores: Iterable[int]) -> list[list[int]]:
    """The numbers of `/proc/stat` for each of `cores`; for every core there is, where one of them is not listed."""
    found: dict[int, list[int]] = {}
    for line in text.splitlines():
        name, *numbers = line.split()
        if name.startswith("cpu") and name[3:].isdigit():
            found[int(name[3:])] = [int(number) for number in numbers]
    wanted = set(cores)
    return [numbers for core, numbers in found.items() if core in wanted or not wanted <= set(found)]


def _parts(numbers: list[int]) -> tuple[int, int, int]:
    user, nice, system, _idle, _iowait, irq, softirq, steal = numbers[:8]
    return user + nice + system, irq + softirq, steal


def _ticks_of(pid: int) -> int:
    """Time of a process and of its children that ended, so that nothing is lost when one ends in between."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(int(field) for field in fields[11:15])


def passed_between(before: CpuReading, after: CpuReading) -> CpuTime:
    """The time that passed between two readings; never below 0, where clocks of different kinds disagree by a tick."""

    def passed(name: str) -> float:
        return max(0.0, float(getattr(after, name) - getattr(before, name)))

    return CpuTime(
        wall_s=passed("clock_s"),
        cores=after.cores,
        busy_s=passed("busy_s"),
        own_s=passed("own_s"),
        interrupts_s=passed("interrupts_s"),
        steal_s=passed("steal_s"),
    )
