"""Can the attention backends be imported that engines ask for?"""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.doctor.finding import Finding, Level
from burstlab.doctor.inside_answer import Inside
from burstlab.doctor.look_inside import USUAL_BACKENDS, look_inside
from burstlab.doctor.subject import Subject
from burstlab.study.schema import Engine

CHECK = "attention"


def check(subject: Subject) -> Iterator[Finding]:
    """A finding a backend or version that an engine names; one for what vLLM has to choose from where it names none."""
    for name, engine in subject.engines.items():
        inside = look_inside(subject, engine.environment)
        if inside is None or inside.vllm is None:
            continue
        yield from _named(subject, name, engine, inside)
        on_gpu = any(platform.kind == "cuda" for platform in subject.platforms_of(name).values())
        if engine.attention_backend is None and on_gpu:
            yield _choice(name, inside)


def _named(subject: Subject, name: str, engine: Engine, inside: Inside) -> Iterator[Finding]:
    wanted = {
        "attention_backend": engine.attention_backend,
        "flash_attn_version": f"fa{engine.flash_attn_version}" if engine.flash_attn_version else None,
    }
    for key, backend in wanted.items():
        if backend is None:
            continue
        why_not = inside.backends.get(backend)
        path = ("engines", name, key)
        if why_not is None:
            yield Finding(CHECK, "ok", f"environment {engine.environment} can import it", path=path)
        else:
            # What needs a GPU cannot be tried without one, as on a cluster's login node.
            level: Level = "error" if subject.gpus.found else "warning"
            cure = "name another, or an environment that has it"
            if not subject.gpus.found:
                cure += "; if only the GPU is missing here, ask again where it is"
            yield Finding(
                CHECK, level, f"environment {engine.environment} cannot use it: {why_not}", cure, path
            )


def _choice(name: str, inside: Inside) -> Finding:
    able = [backend for backend in USUAL_BACKENDS if inside.backends.get(backend, "unknown") is None]
    path = ("engines", name)
    if able:
        return Finding(CHECK, "ok", f"vLLM chooses, and can import {', '.join(able)}", path=path)
    reasons = "; ".join(f"{backend}: {inside.backends.get(backend)}" for backend in USUAL_BACKENDS)
    cure = "ask again where the GPU is; if it stays so, install the kernels"
    return Finding(
        CHECK, "warning", f"vLLM chooses, and can import none of the usual ({reasons})", cure, path
    )
