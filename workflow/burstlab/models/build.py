"""Build a tiny model's folder: `config.json`, the tokenizer, and last the record, named after the recipe."""

import hashlib
import json
from collections.abc import Mapping
from importlib.metadata import version
from pathlib import Path
from typing import Any

from burstlab.files import atomic_write_text
from burstlab.models.recipes import MAX_POSITIONS, recipe, recipe_sha256


def record_path(name: str, folder: Path) -> Path:
    """Where the record lies once `folder` holds the model `name`; another recipe has another record.

    Raises BurstlabError when there is no such recipe.
    """
    return folder / f"built-{recipe_sha256(name)[:12]}.json"


def build(name: str, folder: Path) -> Path:
    """Write the model `name` into `folder` and return its record's path. A recipe always gives one result.

    Raises BurstlabError when there is no such recipe.
    """
    from burstlab.models.tokenizer import tokenizer_files  # only now: rules import this module at every start

    record = record_path(name, folder)
    files = {"config.json": _json(recipe(name)["config"]), **tokenizer_files(MAX_POSITIONS)}
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("built-*.json"):
        old.unlink()
    for file, text in files.items():
        atomic_write_text(folder / file, text)
    atomic_write_text(record, _json(_record(name, files)))
    return record


def _record(name: str, files: Mapping[str, str]) -> dict[str, Any]:
    return {
        "format": 1,
        "model": name,
        "recipe": recipe(name),
        "recipe_sha256": recipe_sha256(name),
        "tokenizers": version("tokenizers"),
        "files": {file: _size_and_sha256(text.encode()) for file, text in files.items()},
    }


def _size_and_sha256(content: bytes) -> dict[str, int | str]:
    return {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"
