"""Which versions a cell was measured with: what its record says, and what must not contradict itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import burstlab
from burstlab.errors import BurstlabError
from burstlab.files import sha256_of
from burstlab.models.content import hub_commit
from burstlab.study.cells import Session
from burstlab.study.schema import Study


def versions(study: Study, session: Session, client: Mapping[str, str]) -> dict[str, str | None]:
    """Versions for the record: those that the client found in the engine's environment (vllm, torch, python), burstlab's
    own, the SHA-256 of the environment's lock, and the commit of a model of the hub. None: not known.

    Call it once the engine is up, for its start may have downloaded the model.
    """
    found: dict[str, str | None] = {**client, "burstlab": burstlab.__version__}
    environment = study.environments[study.engines[session.engine].environment]
    if environment.lock is not None:
        found["environment_lock_sha256"] = sha256_of(study.root / environment.lock)
    model = study.models[session.model]
    if model.hub is not None:
        found["model_commit"] = hub_commit(model.hub, model.revision)
    return found


def check_versions(
    study: Study, session: Session, client: Mapping[str, str], reported: Mapping[str, Any]
) -> None:
    """Raise BurstlabError when server and client are not of one vLLM, or it is not the one that the study names."""
    vllm, server = client["vllm"], reported.get("version")
    if server is not None and _release(server) != _release(vllm):
        raise BurstlabError(
            f"the engine's log says vLLM {server}, the client in the same environment is vLLM {vllm}: "
            "another vllm stands first on PATH or PYTHONPATH of one of them"
        )
    name = study.engines[session.engine].environment
    wanted = study.environments[name].vllm_version
    if wanted is not None and _release(wanted) != _release(vllm):
        raise BurstlabError(
            f"environments: {name}: vllm_version = {wanted!r}, but the environment has vLLM {vllm}: "
            f"write vllm_version: {vllm}, and its cells will be measured as that"
        )


def _release(version: str) -> str:
    # A build says more after the plus sign, such as 0.33.0+cu129, and not all parts of vLLM repeat it.
    return version.removeprefix("v").partition("+")[0]
