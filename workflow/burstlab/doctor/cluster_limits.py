"""Do a platform's jobs fit the partition's time limit and the memory and cores of its nodes?"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from burstlab.doctor import cluster
from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject
from burstlab.session.targets import GPU_SESSION_CORES
from burstlab.slurm.resources import MIB_PER_GIB
from burstlab.study.schema import Platform, Slurm

_TIMEOUT_S = 60.0
_LIMIT = re.compile(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Limits:
    """Of nodes of one partition: the longest job in minutes (None: no limit), and one node's memory and cores."""

    partition: str
    default: bool
    minutes: int | None
    memory_mib: int
    cores: int


def check(subject: Subject) -> Iterator[Finding]:
    """An error for each request that no node can meet, which SLURM would leave pending without a word."""
    asking = cluster.platforms(subject)
    if not asking:
        return
    command = ["sinfo", "--noheader", "--format=%P|%l|%m|%c"]
    listing = subject.machine.run(command, _TIMEOUT_S)
    known = read(listing.out) if listing.status == 0 else []
    for name, platform in asking.items():
        if platform.slurm is not None:
            yield from _faults(name, platform, platform.slurm, _of(platform.slurm, known))


def read(listing: str) -> list[Limits]:
    """The rows that sinfo lists; lines that are none are left out."""
    rows = [line.strip().split("|") for line in listing.splitlines()]
    return [
        Limits(
            partition.rstrip("*"), partition.endswith("*"), minutes(limit), _number(memory), _number(cores)
        )
        for partition, limit, memory, cores in (row for row in rows if len(row) == 4)
    ]


def minutes(limit: str) -> int | None:
    """SLURM's `days-hours:minutes:seconds` as minutes; None for `infinite` and the like."""
    match = _LIMIT.fullmatch(limit)
    if match is None:
        return None
    days, hours, whole, _seconds = (int(part or 0) for part in match.groups())
    return (days * 24 + hours) * 60 + whole


def _number(text: str) -> int:
    return int(re.match(r"\d*", text)[0] or 0)  # type: ignore[index]  # the pattern matches any text; `128+` is 128 or more


def _of(slurm: Slurm, known: Sequence[Limits]) -> list[Limits]:
    wanted = None if slurm.partition is None else slurm.partition.split(",")
    return [one for one in known if (one.default if wanted is None else one.partition in wanted)]


def _faults(name: str, platform: Platform, slurm: Slurm, there: Sequence[Limits]) -> Iterator[Finding]:
    if not there:
        return  # a partition that is not there is told elsewhere
    path = ("platforms", name, "slurm")
    longest = None if any(one.minutes is None for one in there) else max(one.minutes or 0 for one in there)
    for key, asked in (
        ("runtime_minutes", slurm.runtime_minutes),
        ("max_runtime_minutes", slurm.max_runtime_minutes),
    ):
        if longest is not None and asked is not None and asked > longest:
            found = f"the partition's jobs may run {longest} minutes"
            yield Finding(
                cluster.CHECK, "error", found, "ask for no more, or name another partition", (*path, key)
            )
    largest = max(one.memory_mib for one in there) // MIB_PER_GIB
    for key, asked in (("memory_gib", slurm.memory_gib), ("max_memory_gib", slurm.max_memory_gib)):
        if asked is not None and asked > largest:
            found = f"its largest node has {largest} GiB"
            yield Finding(
                cluster.CHECK, "error", found, "ask for no more, or name another partition", (*path, key)
            )
    cores, most = platform.cores or GPU_SESSION_CORES, max(one.cores for one in there)
    if cores > most:
        found = f"a session asks for {cores} cores, and its largest node has {most}"
        yield Finding(cluster.CHECK, "error", found, "lower cores", ("platforms", name, "cores"))
