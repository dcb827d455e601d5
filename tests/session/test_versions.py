"""What a record says of versions, and which contradictions end a session."""

import hashlib
from pathlib import Path
from typing import Any

import pytest

import burstlab
from burstlab.errors import BurstlabError
from burstlab.session.versions import check_versions, versions
from burstlab.study.cells import Session
from burstlab.study.load import load_study
from burstlab.study.schema import Study

CLIENT = {"vllm": "0.33.0", "torch": "2.13.0", "python": "3.11.2"}


def study_of(tmp_path: Path, environment: dict[str, Any]) -> Study:
    (tmp_path / "lock.txt").write_text("vllm==0.33.0\n")
    config = {
        "name": "small",
        "platforms": {"cpu": {"kind": "cpu"}},
        "environments": {"it": environment},
        "models": {"llama": {"hub": "meta/llama"}, "tiny": {"build": "tiny-gqa"}},
        "engines": {"plain": {"environment": "it"}},
        "workloads": {"w": {"dataset": "random", "requests": 1, "input_tokens": 1, "output_tokens": 1}},
        "blocks": [
            {
                "platforms": ["cpu"],
                "models": ["tiny", "llama"],
                "engines": ["plain"],
                "workloads": ["w"],
                "rates": [1],
                "burstiness": [1.0],
                "seeds": [0],
            }
        ],
    }
    return load_study(config, [], tmp_path)


def session(model: str) -> Session:
    return Session("cpu", model, "plain", 0, ())


def test_a_record_names_all_that_ran(tmp_path: Path) -> None:
    study = study_of(tmp_path, {"lock": "lock.txt"})
    assert versions(study, session("tiny"), CLIENT) == {
        **CLIENT,
        "burstlab": burstlab.__version__,
        "environment_lock_sha256": hashlib.sha256(b"vllm==0.33.0\n").hexdigest(),
    }


def test_a_commit_that_nobody_knows_is_null(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    study = study_of(tmp_path, {"python": "/opt/python"})
    found = versions(study, session("llama"), CLIENT)
    assert found == {**CLIENT, "burstlab": burstlab.__version__, "model_commit": None}


def test_server_and_client_must_be_of_one_vllm(tmp_path: Path) -> None:
    study = study_of(tmp_path, {"lock": "lock.txt"})
    check_versions(study, session("tiny"), CLIENT, {"version": "0.33.0+cu129"})
    check_versions(study, session("tiny"), CLIENT, {})
    with pytest.raises(BurstlabError, match=r"log says vLLM 0\.22\.1, the client .* is vLLM 0\.33\.0"):
        check_versions(study, session("tiny"), CLIENT, {"version": "0.22.1"})


def test_an_own_environment_must_have_the_version_that_it_is_said_to_have(tmp_path: Path) -> None:
    study = study_of(tmp_path, {"python": "/opt/python", "vllm_version": "0.32.0"})
    with pytest.raises(
        BurstlabError, match=r"environments: it: vllm_version = '0\.32\.0', .* has vLLM 0\.33"
    ):
        check_versions(study, session("tiny"), CLIENT, {"version": "0.33.0"})
