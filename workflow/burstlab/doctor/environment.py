"""Is what each environment names there: a built environment, a Python, modules, an image?"""

from __future__ import annotations

from collections.abc import Iterator

from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject
from burstlab.environments.build import is_built
from burstlab.environments.interpreter import BUILT, command_prefix
from burstlab.errors import BurstlabError
from burstlab.study.schema import Environment

CHECK = "environment"
_LOAD_TIMEOUT_S = 60.0


def check(subject: Subject) -> Iterator[Finding]:
    """A finding an environment."""
    for name, environment in subject.environments.items():
        yield _built(subject, name) if environment.lock is not None else _own(subject, name, environment)


def prefix(subject: Subject, name: str) -> list[str] | None:
    """The command that starts Python in the environment; None if it is not there, or not built yet."""
    environment = subject.environments[name]
    if environment.lock is not None and not is_built(subject.study.root / environment.lock, BUILT / name):
        return None
    try:
        return command_prefix(environment, name)
    except BurstlabError:
        return None


def _built(subject: Subject, name: str) -> Finding:
    path = ("environments", name, "lock")
    lock = subject.study.root / str(subject.environments[name].lock)
    if is_built(lock, BUILT / name):
        return Finding(CHECK, "ok", f"built in {BUILT / name}", path=path)
    return Finding(
        CHECK, "ok", "not built yet; the first run builds it, or `snakemake environments`", path=path
    )


def _own(subject: Subject, name: str, environment: Environment) -> Finding:
    kind = environment.kind
    path = ("environments", name, kind)
    try:
        command_prefix(environment, name)
    except BurstlabError as error:
        found, _, cure = str(error).removeprefix(f"environments: {name}: {kind}: ").partition("; ")
        return Finding(CHECK, "error", found, cure or "install it, or load what brings it", path)
    if environment.module is not None:
        return _modules(subject, environment.module, path)
    return Finding(CHECK, "ok", "it is there", path=path)


def _modules(subject: Subject, modules: tuple[str, ...], path: tuple[str, ...]) -> Finding:
    # A login shell, as sessions use: it is login that defines `module`.
    script = 'type module >/dev/null 2>&1 || exit 3; module load "$@" || exit 4'
    answer = subject.machine.run(["bash", "-lc", script, "burstlab", *modules], _LOAD_TIMEOUT_S)
    if answer.status == 0:
        return Finding(CHECK, "ok", "the modules load", path=path)
    if answer.status == 3:
        cure = "install environment modules, or name the Python itself (`python`)"
        return Finding(CHECK, "error", "a login shell here knows no command `module`", cure, path)
    cure = "name modules as `module avail` lists them"
    return Finding(CHECK, "error", f"they do not load: {answer.reason}", cure, path)
