"""What a session's job asks the cluster for, in the words of Snakemake's executor plug-in for SLURM."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from burstlab.study.cells import Session
from burstlab.study.schema import Platform, Slurm, Study

MIB_PER_GIB = 1024
ANY_TYPE = "any"


def resources(session: Session, study: Study) -> dict[str, Any]:
    """Snakemake's resources of the session's job; those that only SLURM knows are there if the platform has a `slurm` section.

    Run time (minutes) and memory (MiB) are functions of the attempt: a job that was killed for want of either gets more.
    """
    platform = study.platforms[session.platform]
    asked: dict[str, Any] = {"gpu": 0 if platform.simulated else platform.gpus}
    if platform.slurm is None:
        return asked
    slurm = platform.slurm
    named = {
        "slurm_partition": slurm.partition,
        "slurm_account": slurm.account,
        "qos": slurm.qos,
        "constraint": slurm.constraint,
        "gpu_model": gpu_type(platform),
        "slurm_extra": "--exclusive" if _alone(platform, slurm) else None,
    }
    asked |= {key: value for key, value in named.items() if value is not None}
    return asked | {
        "nodes": 1,
        "runtime": _by_attempt(slurm, runtime_minutes),
        "mem_mb": _by_attempt(slurm, memory_mib),
    }


def gpu_type(platform: Platform) -> str | None:
    """The type of GPU as SLURM calls it; None where any will do, or none is needed."""
    chosen = (platform.slurm.gpu_type if platform.slurm else None) or platform.gpu_model
    return None if chosen == ANY_TYPE else chosen


def _alone(platform: Platform, slurm: Slurm) -> bool:
    # An engine on a CPU shares caches and memory bandwidth with whatever else runs; GPUs are nobody else's anyway.
    return platform.kind == "cpu" if slurm.exclusive is None else slurm.exclusive


def runtime_minutes(slurm: Slurm, attempt: int) -> int:
    """Time limit of the attempt (from 1)."""
    return min(slurm.runtime_minutes * attempt, slurm.max_runtime_minutes or slurm.runtime_minutes)


def memory_mib(slurm: Slurm, attempt: int) -> int:
    """Memory of the attempt (from 1)."""
    first = slurm.memory_gib * MIB_PER_GIB
    return min(first * (attempt + 1) // 2, (slurm.max_memory_gib or slurm.memory_gib) * MIB_PER_GIB)


def _by_attempt(slurm: Slurm, amount: Callable[[Slurm, int], int]) -> Callable[[object, int], int]:
    # Snakemake hands over the attempt by its name.
    return lambda wildcards, attempt: amount(slurm, attempt)  # noqa: ARG005
