"""Is NVIDIA's profiler there? Profiled runs need it where the configuration says so, else only `burstlab kernels` does."""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.doctor.finding import Finding
from burstlab.doctor.machine import Output
from burstlab.doctor.subject import Subject
from burstlab.engine.nsys import LEAST_VERSION, PROGRAM, version_of
from burstlab.study.profiled import ProfiledEngine

CHECK = "nsys"
_TIMEOUT_S = 60.0
_PATH = ("profiles", "profiler")
_CURE = "install NVIDIA Nsight Systems, or load its module"


def check(subject: Subject) -> Iterator[Finding]:
    """One finding: on profiled runs if nsys records them, else on GPUs whose study has no profiled runs."""
    profiled = any(isinstance(engine, ProfiledEngine) for engine in subject.engines.values())
    if profiled:
        yield from needed(subject)
    elif subject.gpu_platforms and subject.study.profiles is None:
        yield _useful(subject)


def needed(subject: Subject) -> Iterator[Finding]:
    """A finding if the subject's sessions are recorded by nsys: an error if it is not there or too old."""
    if not _recorded(subject):
        return
    if not subject.machine.has(PROGRAM):
        cure = f"{_CURE}; or let torch record: profiler: torch"
        yield Finding(
            CHECK, "error", "nsys, which is to record the profiled runs, is not on PATH", cure, _PATH
        )
        return
    answer = _asked(subject)
    version = version_of(answer.out)
    if answer.status != 0 or version is None:
        yield Finding(CHECK, "error", f"nsys --version failed: {answer.reason}", f"{_CURE} anew", _PATH)
    elif version < LEAST_VERSION:
        found = f"{_line(answer)}; the first that traces what is in a CUDA graph is {_words(LEAST_VERSION)}"
        yield Finding(CHECK, "error", found, f"{_CURE} of a later version", _PATH)
    else:
        yield Finding(CHECK, "ok", _line(answer), path=_PATH)


def _useful(subject: Subject) -> Finding:
    if not subject.machine.has(PROGRAM):
        cure = f"{_CURE}, if you want traces of it for `burstlab kernels`; cells do without"
        return Finding(CHECK, "warning", "nsys is not on PATH", cure)
    answer = _asked(subject)
    if answer.status != 0:
        return Finding(CHECK, "warning", f"nsys --version failed: {answer.reason}", f"{_CURE} anew")
    return Finding(CHECK, "ok", _line(answer) or "nsys is there")


def _recorded(subject: Subject) -> bool:
    return any(
        isinstance(engine, ProfiledEngine) and engine.profiler == "nsys"
        for engine in subject.engines.values()
    )


def _asked(subject: Subject) -> Output:
    return subject.machine.run([PROGRAM, "--version"], _TIMEOUT_S)


def _line(answer: Output) -> str:
    return next(iter(answer.out.strip().splitlines()), "")


def _words(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))
