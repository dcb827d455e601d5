"""`envs/environments.toml`: what each lock is made from and how it is installed. Standard library only."""

import dataclasses
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from burstlab.errors import BurstlabError

FALLBACK_INDEXES = {"pytorch-cpu": "https://download.pytorch.org/whl/cpu"}
"""Indexes that `fallback_index` may name: asked if pip, as the user has set it up, lacks a package."""


@dataclasses.dataclass(frozen=True)
class Recipe:
    """One table of `envs/environments.toml`, whose comments say what each key means."""

    project: str | None = None
    extras: tuple[str, ...] = ()
    requires: tuple[str, ...] = ()
    overrides: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    from_source: tuple[str, ...] = ()
    python: tuple[str, str] = ("3.11", "3.14")
    fallback_index: str | None = None
    aliases: Mapping[str, str] = dataclasses.field(default_factory=dict)
    hashes: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)


def read_recipes(path: Path) -> dict[str, Recipe]:
    """All recipes of the TOML file `path` by name. Raises BurstlabError for an unknown key or index."""
    with path.open("rb") as file:
        tables = tomllib.load(file)
    return {name: _recipe(path, name, table) for name, table in tables.items()}


def recipe_of(lock: Path) -> Recipe:
    """The recipe of the lock file, by its name; the default one if no `environments.toml` is beside it."""
    path = lock.parent / "environments.toml"
    return read_recipes(path).get(lock.stem, Recipe()) if path.is_file() else Recipe()


def _recipe(path: Path, name: str, table: Mapping[str, Any]) -> Recipe:
    known = {field.name for field in dataclasses.fields(Recipe)}
    for key in table:
        if key not in known:
            raise BurstlabError(f"{path}: {name}: unknown key {key!r}; known are {', '.join(sorted(known))}")
    index = table.get("fallback_index")
    if index is not None and index not in FALLBACK_INDEXES:
        known_indexes = ", ".join(FALLBACK_INDEXES)
        raise BurstlabError(f"{path}: {name}.fallback_index: {index!r} is none of {known_indexes}")
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
    }
    return Recipe(**values)
