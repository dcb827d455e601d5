"""Which vLLM does each environment have, and is it the one that the configuration says?"""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.doctor.finding import Finding
from burstlab.doctor.inside_answer import Inside
from burstlab.doctor.look_inside import look_inside
from burstlab.doctor.subject import Subject
from burstlab.study.schema import Environment

CHECK = "vllm"


def check(subject: Subject) -> Iterator[Finding]:
    """A finding an environment that can be started."""
    for name, environment in subject.environments.items():
        inside = look_inside(subject, name)
        if inside is not None:
            yield _finding(name, environment, inside)


def _finding(name: str, environment: Environment, inside: Inside) -> Finding:
    path = ("environments", name, environment.kind)
    if inside.vllm is None:
        if environment.lock is not None:
            cure = f"remove .envs/{name}, so that it is built anew"
        else:
            cure = "install vLLM there, or name an environment that has it"
        return Finding(CHECK, "error", f"its Python cannot import vllm: {inside.error}", cure, path)
    wanted = environment.vllm_version
    if wanted is not None and wanted != inside.vllm:
        cure = f"say vllm_version: {inside.vllm}, which makes its cells others"
        return Finding(
            CHECK, "error", f"it has vLLM {inside.vllm}", cure, ("environments", name, "vllm_version")
        )
    return Finding(CHECK, "ok", f"it has vLLM {inside.vllm}", path=path)
