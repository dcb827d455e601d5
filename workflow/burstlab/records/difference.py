"""In words, how what is asked for differs from what was recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_SHOWN = 3
_LONGEST = 40
_UNSET = object()


def difference(recorded: Mapping[str, Any], asked: Mapping[str, Any]) -> str:
    """Such as `engine.max_sequences was 32, is 64`; the first three differences, empty when there is none."""
    # Through JSON, as the recorded one went: tuples are lists there.
    changes = list(_changes("", recorded, json.loads(json.dumps(asked))))
    more = f"; and {len(changes) - _SHOWN} more" if len(changes) > _SHOWN else ""
    return "; ".join(changes[:_SHOWN]) + more


def _changes(key: str, was: Any, now: Any) -> Iterator[str]:
    if isinstance(was, Mapping) and isinstance(now, Mapping):
        for name in sorted(was.keys() | now.keys()):
            inner = f"{key}.{name}" if key else name
            yield from _changes(inner, was.get(name, _UNSET), now.get(name, _UNSET))
    elif was != now or type(was) is not type(now):
        yield f"{key} was {_show(was)}, is {_show(now)}"


def _show(value: Any) -> str:
    if value is _UNSET:
        return "not set"
    text = json.dumps(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
