"""Where each key of a YAML file stands, so that a message can name the line; and keys that are repeated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from burstlab.errors import BurstlabError

_MERGE = "tag:yaml.org,2002:merge"
# Aliases let a short file stand for more values than any memory holds.
_MOST_KEYS = 200_000
_LARGEST_BITS = 1024

Key = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """A YAML file: its content, the line of each key and list item, and the keys that stand there twice."""

    label: str
    data: Any
    lines: Mapping[Key, int]
    repeated: Sequence[tuple[Key, int, int]] = field(default=())

    def line(self, path: Sequence[str | int]) -> int:
        """Line, from 1, of the key or list item at `path`, or of the nearest one above it."""
        parts = tuple(map(str, path))
        while parts and parts not in self.lines:
            parts = parts[:-1]
        return self.lines.get(parts, 1)


class _Loader(yaml.SafeLoader):
    """PyYAML's safe loader, whose own exceptions for values that do not fit their tag are many and name no line."""

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """The value of a node; MarkedYAMLError if it has none."""
        try:
            value = super().construct_object(node, deep)
        except (LookupError, AttributeError, TypeError, ValueError) as error:
            raise _no_value(node) from error
        if isinstance(value, int) and value.bit_length() > _LARGEST_BITS:
            raise _no_value(node)
        return value


def _no_value(node: yaml.Node) -> yaml.MarkedYAMLError:
    kind = node.tag.rsplit(":", 1)[-1]
    return yaml.MarkedYAMLError(
        problem=f"{ascii(node.value)[:60]} is no {kind} that can be read", problem_mark=node.start_mark
    )


def read_source(path: Path, label: str) -> Source:
    """Read a YAML file; raises BurstlabError if it cannot be read or is no YAML."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is no UTF-8 text"
        raise BurstlabError(f"{label}: cannot read this configuration: {reason}") from error
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        lines: dict[Key, int] = {}
        repeated: list[tuple[Key, int, int]] = []
        for count, (key, line, merged) in enumerate(_walk(node, (), ()) if node is not None else ()):
            if count == _MOST_KEYS:
                raise yaml.YAMLError(f"it has more than {_MOST_KEYS} keys and list items, aliases included")
            if key in lines and not merged:
                repeated.append((key, lines[key], line))
            lines.setdefault(key, line)
        return Source(label, yaml.load(text, Loader=_Loader), lines, repeated)  # noqa: S506 - a safe loader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f":{mark.line + 1}" if mark else ""
        what = ", ".join(filter(None, (error.context, error.problem)))
        raise BurstlabError(f"{label}{place}: not valid YAML: {what}") from error
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise BurstlabError(f"{label}: not valid YAML: {' '.join(str(error).split())}") from error


def _walk(
    node: yaml.Node, path: Key, above: tuple[yaml.Node, ...], merged: bool = False
) -> Iterator[tuple[Key, int, bool]]:
    """Each key below `path`, its line, and whether it was merged in by `<<`, which may repeat a key."""
    if node in above:
        raise yaml.YAMLError(f"{'.'.join(path)} contains itself")
    above = (*above, node)
    if isinstance(node, yaml.MappingNode):
        own = [pair for pair in node.value if pair[0].tag != _MERGE]
        for key_node, value in own:
            key = (*path, str(key_node.value))
            yield key, key_node.start_mark.line + 1, merged
            yield from _walk(value, key, above, merged)
        for _, value in (pair for pair in node.value if pair[0].tag == _MERGE):
            for base in value.value if isinstance(value, yaml.SequenceNode) else [value]:
                yield from _walk(base, path, above, merged=True)
    elif isinstance(node, yaml.SequenceNode):
        for place, item in enumerate(node.value):
            key = (*path, str(place))
            yield key, item.start_mark.line + 1, merged
            yield from _walk(item, key, above, merged)
