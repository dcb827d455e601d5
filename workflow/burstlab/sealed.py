"""JSON files that hold their own hash, so that an edit shows: a cell's record, a collection's manifest."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from burstlab.errors import BurstlabError

Schema = TypeVar("Schema", bound=BaseModel)

# Nothing that burstlab writes comes near it; what reads deeper values would end in the middle.
MOST_NESTED = 50

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
    if _deeper(content, MOST_NESTED):
        raise BurstlabError(f"{path}: has values in more than {MOST_NESTED} values around them")
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
        content = json.loads(data, object_pairs_hook=_each_once)
    except (ValueError, RecursionError) as error:
        raise BurstlabError(f"{path}: not JSON: {error}") from error
    if not isinstance(content, dict):
        raise BurstlabError(f"{path}: a JSON object was expected, this is a {type(content).__name__}")
    return content


def is_unicode(text: str) -> bool:
    """Whether it is all characters: JSON can express half of a surrogate pair, UTF-8 cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    # The last of two would count in silence.
    content = dict(pairs)
    if len(content) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"the key {ascii(twice)[:60]} stands there twice")
    return content


def _deeper(value: Any, levels: int) -> bool:
    if isinstance(value, dict):
        inner: Iterable[Any] = value.values()
    elif isinstance(value, list):
        inner = value
    else:
        return False
    return levels == 0 or any(_deeper(item, levels - 1) for item in inner)


def _seal_or_none(content: Mapping[str, Any], key: str) -> str | None:
    try:
        return seal_of(content, key)
    except (ValueError, RecursionError):  # NaN, or nested too deep
        return None
