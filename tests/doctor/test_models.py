from pathlib import Path

import pytest
from tests.doctor.conftest import FakeMachine, Make

from burstlab.doctor import models


def unreachable(url: str) -> bool:
    return False


def reachable(url: str) -> bool:
    return True


def test_a_folder_needs_a_configuration_and_weights(subject: Make, tmp_path: Path) -> None:
    folder = tmp_path / "llama"
    made = subject(models={"llama": {"path": str(folder)}})
    (missing,) = models.check(made)
    assert (missing.level, missing.path) == ("error", ("models", "llama", "path"))
    assert missing.found == f"{folder} is not a folder"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (bare,) = models.check(made)
    assert (bare.level, "no weights" in bare.found) == ("error", True)
    (folder / "model.safetensors").write_text("")
    assert [found.level for found in models.check(made)] == ["ok"]


def test_random_weights_need_no_file(subject: Make, tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    engines = {"plain": {"environment": "vllm", "arguments": {"load_format": "dummy"}}}
    (found,) = models.check(subject(models={"llama": {"path": str(tmp_path)}}, engines=engines))
    assert found.level == "ok"


def test_a_model_of_the_cache_needs_no_network(
    subject: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "reachable", unreachable)
    made = subject(FakeMachine(variables={"HF_HUB_CACHE": str(tmp_path / "hub")}))
    (absent,) = models.check(made)
    assert (absent.level, absent.path) == ("error", ("models", "llama", "hub"))
    assert "the hub cannot be reached" in absent.found and "hf download meta/llama" in absent.cure
    repository = tmp_path / "hub" / "models--meta--llama"
    (repository / "snapshots" / "abc").mkdir(parents=True)
    (repository / "snapshots" / "abc" / "config.json").write_text("{}")
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("abc")
    assert [found.level for found in models.check(made)] == ["ok"]


def test_offline_is_told_as_such(subject: Make, tmp_path: Path) -> None:
    machine = FakeMachine(variables={"HF_HUB_CACHE": str(tmp_path), "HF_HUB_OFFLINE": "1"})
    (found,) = models.check(subject(machine))
    assert found.level == "error" and "HF_HUB_OFFLINE is set" in found.found


def test_a_token_is_looked_for_and_never_shown(
    subject: Make, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "reachable", reachable)
    (without,) = models.check(subject(FakeMachine(variables={"HF_HOME": str(tmp_path)})))
    assert without.level == "warning" and "there is no token" in without.found
    (tmp_path / "token").write_text("hf_secret")
    for variables in ({"HF_HOME": str(tmp_path)}, {"HF_HOME": str(tmp_path / "x"), "HF_TOKEN": "hf_secret"}):
        (found,) = models.check(subject(FakeMachine(variables=variables)))
        assert found.level == "warning" and "a token is there" in found.found
        assert "was not asked" in found.found
        assert "hf_secret" not in repr(found)


def test_the_preflight_asks_for_folders_alone(subject: Make) -> None:
    assert list(models.folders(subject())) == []
    (found,) = models.folders(subject(models={"llama": {"path": "/no/model"}}))
    assert found.level == "error"
