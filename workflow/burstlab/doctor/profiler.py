"""Is NVIDIA's profiler there? Only traces for `burstlab kernels` need it: a study's `profiles` are recorded by torch."""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject

CHECK = "nsys"
_TIMEOUT_S = 60.0


def check(subject: Subject) -> Iterator[Finding]:
    """One finding, if the study has a platform that is a GPU."""
    if not subject.gpu_platforms:
        return
    if not subject.machine.has("nsys"):
        cure = (
            "install NVIDIA Nsight Systems, or load its module, if you want traces of it for `burstlab kernels`; "
            "cells and profiled runs do without"
        )
        yield Finding(CHECK, "warning", "nsys is not on PATH", cure)
        return
    answer = subject.machine.run(["nsys", "--version"], _TIMEOUT_S)
    if answer.status != 0:
        yield Finding(
            CHECK, "warning", f"nsys --version failed: {answer.reason}", "install Nsight Systems anew"
        )
        return
    yield Finding(CHECK, "ok", answer.out.strip().splitlines()[0] if answer.out.strip() else "nsys is there")
