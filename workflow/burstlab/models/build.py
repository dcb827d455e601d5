"""Build a tiny model's folder: `config.json`, the tokenizer, and last the record `model.json`."""

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_text
from burstlab.models.recipes import MAX_POSITIONS, RECIPES
from burstlab.models.tokenizer import tokenizer_files


def build(recipe: str, folder: Path) -> None:
    """Write the model `recipe` into `folder`. The same recipe gives the same bytes, and so the same record.

    Raises BurstlabError when there is no such recipe.
    """
    files = {"config.json": _json(config_of(recipe)), **tokenizer_files(MAX_POSITIONS)}
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.json").unlink(missing_ok=True)
    for name, text in files.items():
        atomic_write_text(folder / name, text)
    atomic_write_text(folder / "model.json", _json(_record(recipe, files)))


def config_of(recipe: str) -> Mapping[str, Any]:
    """The `config.json` of the model `recipe`. Raises BurstlabError when there is no such recipe."""
    if recipe not in RECIPES:
        raise BurstlabError(f"models: build: {recipe!r} is no model that can be built; those are {', '.join(RECIPES)}")
    return RECIPES[recipe]


def _record(recipe: str, files: Mapping[str, str]) -> dict[str, Any]:
    return {
        "format": 1,
        "recipe": recipe,
        "weights": "random, by --load-format dummy",
        "tokenizers": version("tokenizers"),
        "files": {name: _size_and_sha256(text.encode()) for name, text in files.items()},
    }


def _size_and_sha256(content: bytes) -> dict[str, int | str]:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
