"""Can the weights of each model be had?"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from burstlab.doctor.finding import Finding
from burstlab.doctor.subject import Subject
from burstlab.errors import BurstlabError
from burstlab.models.resolve import hub_cache, is_cached, model_arguments, reachable
from burstlab.study.schema import Model

CHECK = "model"
_WEIGHTS = ("*.safetensors", "*.bin", "*.pt", "*.gguf")


def check(subject: Subject) -> Iterator[Finding]:
    """A finding a model."""
    for name, model in subject.models.items():
        if model.build is not None:
            yield Finding(CHECK, "ok", "the workflow builds it", path=("models", name, "build"))
        else:
            yield _folder(subject, name, model) if model.path is not None else _hub(subject, name, model)


def folders(subject: Subject) -> Iterator[Finding]:
    """The models that are folders, which needs no network."""
    for name, model in subject.models.items():
        if model.path is not None:
            yield _folder(subject, name, model)


def _folder(subject: Subject, name: str, model: Model) -> Finding:
    path = ("models", name, "path")
    try:
        (folder,) = model_arguments(name, model)
    except BurstlabError as error:
        found, _, cure = str(error).removeprefix(f"models: {name}: path: ").partition("; ")
        return Finding(CHECK, "error", found, cure, path)
    if not any(next(Path(folder).glob(pattern), None) for pattern in _WEIGHTS) and _needs_weights(
        subject, name
    ):
        cure = f"put its weights there ({', '.join(_WEIGHTS)}), or give the engines `arguments: {{load-format: dummy}}`"
        return Finding(CHECK, "error", "it has a config.json but no weights", cure, path)
    return Finding(CHECK, "ok", "it is there", path=path)


def _needs_weights(subject: Subject, name: str) -> bool:
    formats = [
        {key.removeprefix("--").replace("_", "-"): value for key, value in engine.arguments.items()}
        for engine in subject.engines_of(name).values()
    ]
    return any(one.get("load-format") != "dummy" for one in formats)


def _hub(subject: Subject, name: str, model: Model) -> Finding:
    hub, revision, variables = str(model.hub), model.revision or "main", subject.machine.variables
    path = ("models", name, "hub")
    if is_cached(hub, revision, variables):
        return Finding(CHECK, "ok", f"it is in the cache {hub_cache(variables)}", path=path)
    try:
        model_arguments(name, model, variables, reachable)
    except BurstlabError as error:
        found, _, cure = str(error).removeprefix(f"models: {name}: hub: ").partition(". ")
        return Finding(CHECK, "error", found, cure, path)
    if not _has_token(subject):
        found = "it is not in the cache and there is no token; whether the hub wants one for it was not asked"
        cure = f"`hf auth login` if it is a gated model, then `hf download {hub} --revision {revision}`"
        return Finding(CHECK, "warning", found, cure, path)
    found = "it is not in the cache; a token is there, and whether it opens this model was not asked"
    return Finding(
        CHECK, "warning", found, f"`hf download {hub} --revision {revision}` before the night", path
    )


def _has_token(subject: Subject) -> bool:
    """Whether huggingface_hub would find a token. Its content goes nowhere."""
    variables = subject.machine.variables
    if variables.get("HF_TOKEN") or variables.get("HUGGING_FACE_HUB_TOKEN"):
        return True
    default = (
        hub_cache({key: value for key, value in variables.items() if key != "HF_HUB_CACHE"}).parent / "token"
    )
    file = Path(variables.get("HF_TOKEN_PATH", default)).expanduser()
    return file.is_file() and file.stat().st_size > 0
