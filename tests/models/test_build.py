import hashlib
import json
from pathlib import Path

import pytest

from burstlab.errors import BurstlabError
from burstlab.models.build import build, record_path
from burstlab.models.recipes import RECIPES


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", RECIPES)
def test_the_record_says_what_the_folder_holds(name: str, tmp_path: Path) -> None:
    record = build(name, tmp_path)
    assert record == record_path(name, tmp_path)
    files = contents(tmp_path)
    listed = json.loads(files.pop(record.name))["files"]
    assert listed == {
        file: {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        for file, content in files.items()
    }
    assert set(listed) == {"config.json", "tokenizer.json", "tokenizer_config.json"}
    assert json.loads(files["config.json"]) == RECIPES[name]["config"]


def test_the_same_model_is_the_same_bytes(tmp_path: Path) -> None:
    build("tiny-gqa", tmp_path / "a")
    build("tiny-gqa", tmp_path / "b")
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_a_changed_recipe_is_another_target_and_replaces_the_old_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = build("tiny-gqa", tmp_path)
    changed = {**RECIPES["tiny-gqa"], "config": {"hidden_size": 8}}
    monkeypatch.setitem(RECIPES, "tiny-gqa", changed)  # type: ignore[arg-type]
    after = record_path("tiny-gqa", tmp_path)
    assert after != before
    assert build("tiny-gqa", tmp_path) == after
    assert not before.exists()
    assert json.loads((tmp_path / "config.json").read_text()) == {"hidden_size": 8}


def test_an_interrupted_build_has_no_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    record = build("tiny-gqa", tmp_path)

    def fails(path: Path, text: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("burstlab.models.build.atomic_write_text", fails)
    with pytest.raises(OSError, match="No space"):
        build("tiny-gqa", tmp_path)
    assert not record.exists()


def test_an_unknown_model_is_named_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"tiny-gpa: no such model.*tiny-gqa, tiny-gdn"):
        build("tiny-gpa", tmp_path)


def test_the_models_are_what_they_are_called() -> None:
    gqa, gdn = RECIPES["tiny-gqa"]["config"], RECIPES["tiny-gdn"]["config"]
    assert gqa["num_attention_heads"] == 4 * gqa["num_key_value_heads"]
    assert set(gdn["layer_types"]) == {"linear_attention", "full_attention"}
    assert len(gdn["layer_types"]) == gdn["num_hidden_layers"] > len(gdn["mlp_only_layers"])
