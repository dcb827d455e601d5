"""Ask the Python of an environment what it has: one process an environment, since importing vLLM takes a while."""

from __future__ import annotations

import json
from pathlib import Path

from burstlab.doctor.environment import prefix
from burstlab.doctor.inside_answer import Inside
from burstlab.doctor.subject import Subject

_SOURCE = Path(__file__).with_name("inside.py")
_TIMEOUT_S = 300.0

USUAL_BACKENDS = ("FLASH_ATTN", "FLASHINFER", "TRITON_ATTN")
"""What vLLM chooses among on a GPU if an engine names no attention backend."""


def look_inside(subject: Subject, name: str) -> Inside | None:
    """What the environment has; None if it is not there. Asked once."""
    if name not in subject.insides:
        subject.insides[name] = _ask(subject, name)
    return subject.insides[name]


def backends_of(subject: Subject, environment: str) -> list[str]:
    """What the engines of the environment ask for, and the usual ones where they leave the choice on a GPU to vLLM."""
    wanted: set[str] = set()
    for name, engine in subject.engines.items():
        on_gpu = any(platform.kind == "cuda" for platform in subject.platforms_of(name).values())
        if engine.environment != environment:
            continue
        if engine.attention_backend is not None:
            wanted.add(engine.attention_backend)
        elif on_gpu:
            wanted.update(USUAL_BACKENDS)
        if engine.flash_attn_version is not None:
            wanted.add(f"fa{engine.flash_attn_version}")
    return sorted(wanted)


def _ask(subject: Subject, name: str) -> Inside | None:
    python = prefix(subject, name)
    if python is None:
        return None
    # As source, since an image sees its own files.
    command = [*python, "-c", _SOURCE.read_text(), *backends_of(subject, name)]
    answer = subject.machine.run(command, _TIMEOUT_S)
    lines = answer.out.strip().splitlines()
    try:
        said = json.loads(lines[-1]) if answer.status == 0 and lines else None
        return (
            Inside(said["vllm"], said["error"] or "", said["backends"])
            if said
            else Inside(None, answer.reason, {})
        )
    except (ValueError, KeyError, TypeError):
        return Inside(None, f"its Python answers {lines[-1][:200]!r}", {})
