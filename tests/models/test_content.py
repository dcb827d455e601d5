"""What identifies weights: every small file, and name, size and samples of large ones."""

from pathlib import Path

import pytest

from burstlab.models import content
from burstlab.models.content import folder_sha256, hub_commit


@pytest.fixture
def model(tmp_path: Path) -> Path:
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    (folder / "tokenizer.json").write_text("[]")
    (folder / "model.safetensors").write_bytes(bytes(1000))
    return folder


def test_a_folder_without_configuration_is_no_model(tmp_path: Path) -> None:
    assert folder_sha256(tmp_path) is None
    assert folder_sha256(tmp_path / "missing") is None


@pytest.mark.parametrize("name", ["config.json", "tokenizer.json", "model.safetensors", "added.json"])
def test_any_file_counts(model: Path, name: str) -> None:
    before = folder_sha256(model)
    (model / name).write_bytes(b"other")
    assert folder_sha256(model) != before


def test_downloads_under_way_and_hidden_files_do_not_count(model: Path) -> None:
    before = folder_sha256(model)
    (model / ".gitattributes").write_text("x")
    (model / "model.safetensors.part").write_text("x")
    (model / "original").mkdir()
    assert folder_sha256(model) == before


@pytest.mark.parametrize("place", [0, 500, 999])
def test_large_files_are_sampled_at_start_middle_and_end(
    model: Path, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    monkeypatch.setattr(content, "_WHOLE_BYTES", 100)
    monkeypatch.setattr(content, "_SAMPLE_BYTES", 20)
    before = folder_sha256(model)
    changed = bytearray(1000)
    changed[place] = 1
    (model / "model.safetensors").write_bytes(changed)
    assert folder_sha256(model) != before
    (model / "model.safetensors").write_bytes(bytes(1001))
    assert folder_sha256(model) != before


def test_a_revision_that_is_a_commit_needs_no_cache(tmp_path: Path) -> None:
    assert hub_commit("a/b", "0" * 40, {"HF_HUB_CACHE": str(tmp_path)}) == "0" * 40


def test_a_branch_is_what_the_cache_says(tmp_path: Path) -> None:
    variables = {"HF_HUB_CACHE": str(tmp_path)}
    assert hub_commit("a/b", "dev", variables) is None
    reference = tmp_path / "models--a--b/refs/dev"
    reference.parent.mkdir(parents=True)
    reference.write_text("1" * 40 + "\n")
    assert hub_commit("a/b", "dev", variables) == "1" * 40
    assert hub_commit("a/b", None, variables) is None
