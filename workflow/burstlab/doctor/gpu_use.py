"""Is anyone else on the GPUs? Whatever runs there is measured too, and its memory is not the engine's."""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.doctor.finding import Finding
from burstlab.doctor.nvidia_smi import Gpu, GpuProcess
from burstlab.doctor.subject import Subject

CHECK = "gpu use"

# vLLM takes 0.9 of a GPU's memory by default, so it does not start where more than the rest is taken.
_SHARE_LEFT = 0.1


def check(subject: Subject) -> Iterator[Finding]:
    """A finding a GPU: its memory, and the processes on it."""
    if not subject.gpu_platforms:
        return
    for gpu in subject.gpus.found:
        yield _finding(gpu, [one for one in subject.gpus.processes if one.uuid == gpu.uuid])


def _finding(gpu: Gpu, processes: list[GpuProcess]) -> Finding:
    memory = _memory(gpu)
    if processes:
        names = ", ".join(f"{one.name} (process {one.pid}, {_shown(one.used_mib)})" for one in processes)
        cure = "wait for them or end them, or let CUDA_VISIBLE_DEVICES name other GPUs"
        return Finding(CHECK, "warning", f"GPU {gpu.index}: {memory}; others compute on it: {names}", cure)
    if gpu.memory_mib and gpu.used_mib is not None and gpu.used_mib > _SHARE_LEFT * gpu.memory_mib:
        cure = "find out who holds it (processes of another container are not shown); vLLM asks for 0.9 of it all"
        return Finding(CHECK, "warning", f"GPU {gpu.index}: {memory}, though no process is shown", cure)
    return Finding(CHECK, "ok", f"GPU {gpu.index}: {memory}, no other process")


def _memory(gpu: Gpu) -> str:
    if gpu.memory_mib is None or gpu.used_mib is None:
        return "its driver does not tell its memory"
    return f"{_shown(gpu.memory_mib - gpu.used_mib)} of {_shown(gpu.memory_mib)} free"


def _shown(mib: int | None) -> str:
    return "unknown memory" if mib is None else f"{mib / 1024:.1f} GiB"
