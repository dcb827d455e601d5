"""JSON whose values are of another kind, missing, there twice, or no JSON at all."""

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from hypothesis import strategies as st

# As text of the file, because Python's own writer makes none of them.
ODD_VALUES = (
    *("null", "true", "0", "-1", "1", "-0.0", "0.5", "1.5", "2", "1e-320", "1e308", "1e400", "-1e400"),
    *("NaN", "Infinity", "-Infinity", "9007199254740993", "9223372036854775808", "1e19"),
    *("9" * 400, "9" * 5000),
    *('""', '"x"', '"1"', '"inf"', '"nan"', '"\\u0000"', '"\\ud800"', '"é"', '"../x"', '"/"', '"a b"'),
    f'"{"x" * 400}"',
    *("[]", "{}", "[1]", "[null]", '["a"]', '[[1, "a"], {}]', '{"": null}', '{"a": {"b": [1]}}'),
    *("[" * 90 + "]" * 90, "[" * 600 + "]" * 600, "[" * 5000 + "]" * 5000),
    '{"a":' * 600 + "1" + "}" * 600,
    *("", "undefined", "1 2", "'x'", "0x10", "01", "+1", ".5", "1_000"),
)
_MARK = "\x01odd\x01"
_TWIN = "\x01twin"

Path = tuple[str | int, ...]


@st.composite
def mutated_json(draw: st.DrawFn, valid: Mapping[str, Any], most: int = 2) -> bytes:
    """`valid` as JSON with one to `most` faults in it."""
    content: Any = deepcopy(dict(valid))
    odd: list[str] = []
    for _ in range(draw(st.integers(1, most))):
        places = [path for path in paths(content) if path]
        if not places:
            break
        path = draw(st.sampled_from(places))
        _spoil(draw, content, path, odd)
    text = json.dumps(content).replace(json.dumps(_TWIN)[1:-1], "")
    mark = json.dumps(_MARK)
    for value in odd:
        text = text.replace(mark, value, 1)
    return text.encode()


@st.composite
def mutated_values(draw: st.DrawFn, valid: Mapping[str, Any], most: int = 2) -> dict[str, Any]:
    """`valid` with one to `most` values that JSON can hold exchanged, or keys deleted or renamed."""
    content: Any = deepcopy(dict(valid))
    for _ in range(draw(st.integers(1, most))):
        places = [path for path in paths(content) if path]
        if not places:
            break
        path = draw(st.sampled_from(places))
        parent = at(content, path[:-1])
        what = draw(st.sampled_from(("odd", "odd", "odd", "delete", "rename")))
        if what == "odd":
            parent[path[-1]] = deepcopy(draw(st.sampled_from(_PARSED)))
        elif what == "rename" and isinstance(parent, dict):
            parent[f"{path[-1]}x"] = parent.pop(path[-1])
        else:
            del parent[path[-1]]
    return dict(content)


def paths(value: Any, path: Path = ()) -> list[Path]:
    """Paths of all values below."""
    if isinstance(value, dict):
        entries: Any = value.items()
    else:
        entries = enumerate(value) if isinstance(value, list) else ()
    return [path, *(deeper for key, inner in entries for deeper in paths(inner, (*path, key)))]


def at(content: Any, path: Path) -> Any:
    """The value at a path."""
    for key in path:
        content = content[key]
    return content


def _spoil(draw: st.DrawFn, content: Any, path: Path, odd: list[str]) -> None:
    parent, key = at(content, path[:-1]), path[-1]
    what = draw(st.sampled_from(("odd", "odd", "odd", "delete", "rename", "twice")))
    if what == "odd":
        # Values stand in the file in the order in which `json` writes them, so one odd text serves for all.
        value = draw(st.sampled_from(ODD_VALUES)) if not odd else odd[0]
        odd.append(value)
        parent[key] = _MARK
    elif what == "twice" and isinstance(parent, dict) and isinstance(key, str):
        parent[f"{key}{_TWIN}"] = deepcopy(draw(st.sampled_from(_PARSED)))
    elif what == "rename" and isinstance(parent, dict):
        parent[f"{key}x"] = parent.pop(key)
    else:
        del parent[key]


def _parsed() -> list[Any]:
    found = []
    for text in ODD_VALUES:
        try:
            value = deepcopy(json.loads(text))
        except (ValueError, RecursionError):
            continue
        if value == value and value not in (float("inf"), float("-inf")):
            found.append(value)
    return found


_PARSED = _parsed()
