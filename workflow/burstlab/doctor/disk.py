"""Is there room for what the study makes?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject
from burstlab.environments.build import is_built
from burstlab.environments.interpreter import BUILT
from burstlab.session.places import Places

CHECK = "disk"
_GIB = 1024**3

# Estimates. An environment of vLLM for a CPU has 2 GiB, one for CUDA some 10; pip needs about as much beside it.
_ENVIRONMENT_GIB = {"cpu": 4.0, "cuda": 20.0}
_RESOURCES_GIB = 3.0
# `bench.json` has the time of each token: 27 bytes a token were measured. Outputs of data sets are taken as 300 tokens long.
_BYTES_A_TOKEN = 27
_OUTPUT_TOKENS = 300


def check(subject: Subject) -> Iterator[Finding]:
    """A finding for each file system of results/, resources/ and .envs/."""
    places = Places()
    wanted = {
        subject.study.root / places.results: 0.1 + _cells_gib(subject),
        subject.study.root / places.resources: _RESOURCES_GIB,
        subject.study.root / BUILT: _unbuilt_gib(subject),
    }
    by_disk: dict[int, list[Path]] = {}
    for folder in wanted:
        by_disk.setdefault(subject.machine.disk(folder)[0], []).append(folder)
    for folders in by_disk.values():
        yield _finding(
            folders, sum(wanted[one] for one in folders), subject.machine.disk(folders[0])[1] / _GIB
        )


def _finding(folders: list[Path], needed_gib: float, free_gib: float) -> Finding:
    names = ", ".join(f"{folder.name}/" for folder in folders)
    found = f"{names}: {free_gib:.1f} GiB free, about {needed_gib:.1f} GiB may be needed"
    if free_gib < needed_gib:
        return Finding(CHECK, "warning", found, "free some, or run where there is more")
    return Finding(CHECK, "ok", found)


def _cells_gib(subject: Subject) -> float:
    workloads = [subject.study.workloads[cell.workload] for one in subject.sessions for cell in one.cells]
    tokens = sum(one.requests * (one.output_tokens or _OUTPUT_TOKENS) for one in workloads)
    return tokens * _BYTES_A_TOKEN / _GIB


def _unbuilt_gib(subject: Subject) -> float:
    total = 0.0
    for name, environment in subject.environments.items():
        if environment.lock is not None and not is_built(subject.study.root / environment.lock, BUILT / name):
            kinds = {
                platform.kind
                for engine, one in subject.engines.items()
                if one.environment == name
                for platform in subject.platforms_of(engine).values()
            }
            total += max(_ENVIRONMENT_GIB[kind] for kind in kinds)
    return total
