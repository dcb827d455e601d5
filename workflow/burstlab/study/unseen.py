"""Comparing what is asked for with what was recorded, where this machine cannot see all that is asked for.

A part of a specification that is a file or a model is identified by its `content`, and says `from` where it came.
A reviewer has neither weights nor downloads: there the content is `unseen`, and is not held against a record of the
same origin. What was recorded is never changed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

UNSEEN = "unseen"

_CANONICAL = json.JSONEncoder(sort_keys=True, separators=(",", ":"), allow_nan=False)


def identified(content: str | None, origin: Mapping[str, Any]) -> dict[str, Any]:
    """A part of a specification: its content (None: cannot be seen here) and where it came from."""
    return {"content": content or UNSEEN, "from": dict(origin)}


def specification_sha256(specification: dict[str, Any]) -> str:
    """SHA-256 of the specification's canonical JSON: sorted keys, no white space, ASCII."""
    return hashlib.sha256(_CANONICAL.encode(specification).encode()).hexdigest()


def same_measurement(asked: dict[str, Any], recorded: dict[str, Any]) -> bool:
    """Whether a record of the specification `recorded` is a measurement of what is `asked` for."""
    return specification_sha256(as_recorded(asked, recorded)) == specification_sha256(recorded)


def as_recorded(asked: dict[str, Any], recorded: Any) -> dict[str, Any]:
    """`asked`, with those identified parts taken from `recorded` that are the same as far as can be seen.

    Equal contents are the same wherever they came from; an unseen content is the same if it came from the same place.
    """
    if not isinstance(recorded, dict):
        return asked
    if asked.keys() == {"content", "from"} == recorded.keys():
        return recorded if _same_part(asked, recorded) else asked
    return {
        key: as_recorded(value, recorded.get(key)) if isinstance(value, dict) else value
        for key, value in asked.items()
    }


def _same_part(asked: dict[str, Any], recorded: dict[str, Any]) -> bool:
    if asked["content"] == UNSEEN:
        return bool(asked["from"] == recorded["from"])
    return bool(asked["content"] == recorded["content"])
