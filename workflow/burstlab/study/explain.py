"""What pydantic found wrong, in words that say what would be right."""

from __future__ import annotations

import re
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from burstlab.study import schema
from burstlab.study.faults import Fault, FaultAtError, Path, closest, suggestion

_SECTIONS: dict[str, type[BaseModel]] = {
    "platforms": schema.Platform,
    "environments": schema.Environment,
    "models": schema.Model,
    "engines": schema.Engine,
    "datasets": schema.Dataset,
    "workloads": schema.Workload,
    "blocks": schema.Block,
}

_TEXTS = {
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "string_type": "must be text (quote it if it looks like a number)",
    "dict_type": "must be a mapping of keys to values",
    "model_type": "must be a mapping of keys to values",
    "tuple_type": "must be a list, such as [a, b]",
    "finite_number": "must be a finite number",
    "string_too_short": "must not be empty",
    "too_short": "must not be empty",
    "greater_than": "must be above {gt}",
    "greater_than_equal": "must be at least {ge}",
    "less_than": "must be below {lt}",
    "less_than_equal": "must be at most {le}",
    "literal_error": "must be {expected}",
    "string_pattern_mismatch": "must match {pattern}",
    "recursion_loop": "contains itself",
}


def faults_of(error: ValidationError) -> list[Fault]:
    """All faults, without those that only follow from another one.

    A misspelt key is not told as missing too, nor is a list called empty whose items all have faults.
    """
    entries = [(entry, _path(entry)) for entry in error.errors(include_url=False)]
    unknown = [path for entry, path in entries if entry["type"] == "extra_forbidden"]
    return [
        Fault(path, _message(entry["type"], path, entry.get("ctx", {}), entry["msg"]))
        for entry, path in entries
        if not (
            entry["type"] == "default_factory_not_called"
            or (entry["type"] == "missing" and any(_misspells(other, path) for other in unknown))
            or (entry["type"] == "too_short" and any(_within(other, path) for _, other in entries))
        )
    ]


def _path(entry: ErrorDetails) -> Path:
    path = tuple(part for part in entry["loc"] if part != "[key]")
    cause = entry.get("ctx", {}).get("error")
    return (*path, cause.key) if isinstance(cause, FaultAtError) else path


def _misspells(unknown: Path, missing: Path) -> bool:
    return unknown[:-1] == missing[:-1] and closest(str(unknown[-1]), _fields(unknown)) == missing[-1]


def _message(kind: str, path: Path, context: dict[str, Any], text: str) -> str:
    if kind == "missing":
        return f"this key is missing: {_description(path)}"
    if kind == "extra_forbidden":
        return f"unknown key; {suggestion(str(path[-1]), _fields(path))}"
    if kind == "value_error":
        return str(context["error"])
    if kind == "literal_error":
        context = {"expected": re.sub(r"'", "", context["expected"])}
    return _TEXTS[kind].format(**context) if kind in _TEXTS else text


def _section(path: Path) -> type[BaseModel]:
    if len(path) > 3 and (path[0], path[2]) == ("platforms", "slurm"):
        return schema.Slurm
    if path[:1] == ("profiles",) and len(path) > 1:
        return schema.Profiles if len(path) < 4 else schema.Block
    return schema.Study if len(path) < 2 else _SECTIONS[str(path[0])]


def _fields(path: Path) -> list[str]:
    return list(_section(path).model_fields)


def _description(path: Path) -> str:
    return _section(path).model_fields[str(path[-1])].description or ""


def _within(path: Path, above: Path) -> bool:
    return len(path) > len(above) and path[: len(above)] == above
