"""JSON files that hold their own hash, so that an edit shows: a cell's record, a collection's manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from burstlab.errors import BurstlabError

Schema = TypeVar("Schema", bound=BaseModel)

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def seal_of(content: Mapping[str, Any], key: str) -> str:
    """SHA-256 of all but `key` as JSON with sorted keys and no white space. Raises ValueError for NaN and infinity."""
    rest = {name: value for name, value in content.items() if name != key}
    return hashlib.sha256(_CANONICAL.encode(rest).encode()).hexdigest()


def parse_sealed(data: bytes, path: Path, schema: type[Schema], key: str) -> Schema:
    """What the file's content `data` says, `key` being its seal; `path` is for messages.

    Raises BurstlabError if it is no JSON, does not fit the schema or was edited.
    """
    content = json_object(data, path)
    try:
        found = schema.model_validate(content)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"])) or "the whole"
        raise BurstlabError(f"{path}: {where}: {first['msg']}") from error
    if _seal_or_none(content, key) != content[key]:
        raise BurstlabError(f"{path}: was edited: its content does not have the recorded {key}")
    return found


def json_object(data: bytes, path: Path) -> dict[str, Any]:
    """The JSON object in a file's content `data`; BurstlabError, with `path`, if there is none."""
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BurstlabError(f"{path}: not JSON: {error}") from error
    if not isinstance(content, dict):
        raise BurstlabError(f"{path}: a JSON object was expected, this is a {type(content).__name__}")
    return content


def _seal_or_none(content: Mapping[str, Any], key: str) -> str | None:
    try:
        return seal_of(content, key)
    except (ValueError, RecursionError):  # NaN, or nested too deep
        return None
