"""Is the NVIDIA driver new enough for the CUDA that the locked environments bring?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject

CHECK = "driver"

# NVIDIA, CUDA Compatibility, "Minor Version Compatibility": the oldest Linux driver that runs programs of each CUDA.
_OLDEST_DRIVER = {11: 450, 12: 525, 13: 580}
_RUNTIME = re.compile(r"^nvidia-cuda-runtime(?:-cu\d+)?==(\d+)\.[^;\\\n]*(?:;([^\\\n]*))?", re.MULTILINE)


def check(subject: Subject) -> Iterator[Finding]:
    """The driver's version, and each locked environment of a GPU engine that needs a newer one."""
    if not subject.gpu_platforms or not subject.gpus.found:
        return
    driver = subject.gpus.found[0].driver
    major = int(driver.partition(".")[0]) if driver.partition(".")[0].isdigit() else None
    if major is None:
        yield Finding(
            CHECK, "warning", f"the driver's version reads {driver!r}", "ask nvidia-smi what is wrong"
        )
        return
    faults = [*_too_old(subject, driver, major)]
    yield from faults or [Finding(CHECK, "ok", f"NVIDIA driver {driver}")]


def _too_old(subject: Subject, driver: str, major: int) -> Iterator[Finding]:
    for name, environment in subject.environments.items():
        if environment.lock is None or not _on_a_gpu(subject, name):
            continue
        cuda = cuda_of((subject.study.root / environment.lock).read_text(errors="replace"))
        oldest = _OLDEST_DRIVER.get(cuda) if cuda else None
        if oldest is not None and major < oldest:
            found = f"its CUDA {cuda} needs a driver of version {oldest} or newer, and that of this machine is {driver}"
            yield Finding(
                CHECK,
                "error",
                found,
                "have the driver updated or NVIDIA's cuda-compat installed, or name an environment of an older CUDA",
                ("environments", name, "lock"),
            )


def _on_a_gpu(subject: Subject, environment: str) -> bool:
    engines = [name for name, engine in subject.engines.items() if engine.environment == environment]
    return any(one.kind == "cuda" for name in engines for one in subject.platforms_of(name).values())


def cuda_of(lock: str) -> int | None:
    """The major version of CUDA that a lock installs on Linux; None if it names none."""
    versions = [
        int(match[1])
        for match in _RUNTIME.finditer(lock)
        if "== 'darwin'" not in (match[2] or "").replace('"', "'")
    ]
    return max(versions, default=None)
