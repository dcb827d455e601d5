import json
from pathlib import Path

import pytest

from burstlab import cli

STUDY = """
name: small
platforms: {cpu: {kind: cpu, cores: 1}}
environments: {mine: {python: PYTHON, vllm_version: 0.33.0}}
models: {m: {path: model}}
engines: {plain: {environment: mine}}
workloads: {short: {dataset: random, requests: 2, input_tokens: 8, output_tokens: 4}}
blocks:
  - {platforms: [cpu], models: [m], engines: [plain], workloads: [short], rates: [1], burstiness: [1.0], seeds: [0]}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A study whose Python answers as one with vLLM 0.33.0 does."""
    monkeypatch.chdir(tmp_path)
    python = tmp_path / "python"
    python.write_text("""#!/bin/sh\necho '{"vllm": "0.33.0", "error": null, "backends": {}}'\n""")
    python.chmod(0o755)
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "config.json").write_text("{}")
    (tmp_path / "model" / "model.safetensors").write_text("")
    (tmp_path / "config.yaml").write_text(STUDY.replace("PYTHON", str(python)))
    return tmp_path


def test_a_machine_that_can_measure_the_study(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["doctor"]) == 0
    out = capsys.readouterr().out
    assert f"config.yaml:4: environments.mine.python = '{folder}"[:60] in out
    assert "it has vLLM 0.33.0" in out
    assert out.splitlines()[-1].startswith("0 errors, ")


def test_an_error_is_the_exit_status_too(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "model" / "config.json").unlink()
    assert cli.main(["doctor", "--config", "config.yaml", "--json"]) == 1
    found = [one for one in json.loads(capsys.readouterr().out) if one["level"] == "error"]
    assert [(one["place"], one["key"]) for one in found] == [("config.yaml:5", "models.m.path = 'model'")]


def test_a_faulty_configuration_is_told_as_everywhere(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "config.yaml").write_text("name: 1\n")
    assert cli.main(["doctor"]) == 1
    assert "config.yaml:1: name = 1: must be text" in capsys.readouterr().err
