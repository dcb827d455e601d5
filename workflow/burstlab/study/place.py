"""Where in the configuration files a key stands: file and line, and the key with its value as a message shows it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from burstlab.secret_names import HIDDEN, is_secret, is_secret_url
from burstlab.study import faults
from burstlab.study.locate import Source

_LONGEST_VALUE_SHOWN = 60
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class KeyPlaces:
    """A configuration and the files it was merged from, later ones winning."""

    config: Mapping[str, Any]
    sources: Sequence[Source]

    def place(self, path: faults.Path) -> str:
        """`config.yaml:12`; `--config` for what no file holds. An absent key stands where the one above it does."""
        while _value(self.config, path) is _ABSENT:
            path = path[:-1]
        if not path and self.sources:
            return f"{self.sources[-1].label}:1"
        value = _value(self.config, path)
        for source in reversed(self.sources):
            there = _value(source.data, path)
            # Mappings are merged, so a file may hold only a part of one; all else is taken whole from one file.
            merged = isinstance(there, Mapping) and isinstance(value, Mapping)
            if merged or (there is not _ABSENT and _same(there, value)):
                return f"{source.label}:{source.line(path)}"
        return "--config"

    def key(self, path: faults.Path) -> str:
        """`platforms.h200.gpus = 2`; the key alone if it is absent or a section."""
        value = _value(self.config, path)
        shown = (
            ""
            if value is _ABSENT or isinstance(value, Mapping)
            else f" = {_short(_without_secret(path, value))}"
        )
        return f"{faults.dotted(path)}{shown}"

    def where(self, path: faults.Path) -> str:
        """`config.yaml:12: platforms.h200.gpus = 2`."""
        return f"{self.place(path)}: {self.key(path)}"


def _value(data: Any, path: faults.Path) -> Any:
    for part in path:
        entries = dict(enumerate(data)) if isinstance(data, list) else data
        if not isinstance(entries, Mapping) or part not in entries:
            return _ABSENT
        data = entries[part]
    return data


def _same(left: Any, right: Any) -> bool:
    return bool(left == right) or repr(left) == repr(right)  # repr, because nan is not nan


def _without_secret(path: faults.Path, value: Any) -> Any:
    secret = any(is_secret(str(part)) for part in path[-1:])
    return HIDDEN if secret or (isinstance(value, str) and is_secret_url(value)) else value


def _short(value: Any) -> str:
    text = "empty" if value is None else repr(value)
    return text if len(text) <= _LONGEST_VALUE_SHOWN else f"{text[: _LONGEST_VALUE_SHOWN - 1]}…"
