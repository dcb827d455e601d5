"""All checks of `burstlab doctor`, in the order in which it tells of them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from dataclasses import replace

from burstlab.doctor import (
    accounting,
    attention,
    cluster,
    cluster_limits,
    cores,
    disk,
    driver,
    environment,
    gpu_use,
    gpus,
    memory,
    models,
    profiler,
    versions,
)
from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject

Check = Callable[[Subject], Iterable[Finding]]

CHECKS: tuple[Check, ...] = (
    gpus.check,
    driver.check,
    gpu_use.check,
    memory.check,
    cores.check,
    disk.check,
    environment.check,
    versions.check,
    attention.check,
    models.check,
    profiler.check,
    cluster.check,
    cluster_limits.check,
    accounting.check,
)


def checkup(subject: Subject) -> list[Finding]:
    """What all checks find."""
    elsewhere = cluster.platforms(subject)
    found = [finding for check in CHECKS for finding in check(subject)]
    return [softened(finding) if _is_of(finding, elsewhere) else finding for finding in found]


def softened(finding: Finding) -> Finding:
    """An error of this machine as a warning, where sessions run on another one."""
    if finding.level != "error" or finding.check in (cluster.CHECK, accounting.CHECK):
        return finding
    cure = "; ".join(filter(None, (finding.cure, "or ask again on a node where its sessions run")))
    return replace(finding, level="warning", cure=cure)


def _is_of(finding: Finding, platforms: Container[str]) -> bool:
    return finding.path[:1] == ("platforms",) and str(finding.path[1]) in platforms
