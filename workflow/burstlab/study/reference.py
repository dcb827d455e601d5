"""The schema as docs/configuration.md, for people, and workflow/schemas/config.schema.json, for editors.

Both are generated: `python -m burstlab.study.reference` in the repository's folder writes them anew.
"""

from __future__ import annotations

import json
import types
import typing
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from burstlab.files import atomic_write_text
from burstlab.study import schema

MARKDOWN = Path("docs/configuration.md")
JSON_SCHEMA = Path("workflow/schemas/config.schema.json")

_SECTIONS: tuple[tuple[str, type[BaseModel]], ...] = (
    ("platforms", schema.Platform),
    ("environments", schema.Environment),
    ("models", schema.Model),
    ("engines", schema.Engine),
    ("datasets", schema.Dataset),
    ("workloads", schema.Workload),
    ("blocks", schema.Block),
    ("profiles", schema.Profiles),
)

_HEAD = """\
# The configuration, key by key

Generated from `workflow/burstlab/study/schema.py` by `python -m burstlab.study.reference`; do not edit.

A configuration is a YAML file, or several, each laid over those before it. `config.yaml` is the default study and shows all keys;
`config/` has others.
`burstlab check --config FILE` says what is wrong with one, `burstlab cells --config FILE` lists the cells it asks for.
Unknown keys are errors. Names have small letters, digits, `.`, `_` and `-`, because they become folders.
Relative paths start from the folder in which the workflow runs.

Every section but `blocks` and `profiles` maps names of your choice to entries with the keys below. A study of `collections` alone
needs no sections.
"""

_SLURM = "How sessions of the platform run as jobs of a SLURM cluster; none of it makes a measurement stale."
_TABLE = "| key | value | default | what |\n|---|---|---|---|\n"


def markdown() -> str:
    """docs/configuration.md."""
    parts = [_HEAD, f"\n## The study itself\n\n{_TABLE}"]
    sections = {name for name, _ in _SECTIONS}
    parts += [_row(key, field) for key, field in schema.Study.model_fields.items() if key not in sections]
    for name, section in _SECTIONS:
        title = schema.Study.model_fields[name].description
        parts.append(f"\n## {name}\n\n{title}\n\n{_TABLE}")
        parts += [_row(key, field) for key, field in section.model_fields.items()]
        if section is schema.Platform:
            parts.append(f"\n### slurm\n\n{_SLURM}\n\n{_TABLE}")
            parts += [_row(key, field) for key, field in schema.Slurm.model_fields.items()]
    return "".join(parts)


def json_schema() -> str:
    """workflow/schemas/config.schema.json, which editors can check and complete a configuration by."""
    return json.dumps(schema.Study.model_json_schema(), indent=2, ensure_ascii=False) + "\n"


def _row(key: str, field: FieldInfo) -> str:
    value = _kind(field.annotation)
    return f"| `{key}` | {value} | {_default(field)} | {field.description} |\n"


def _default(field: FieldInfo) -> str:
    if field.is_required():
        return "required"
    if field.default_factory is not None or field.default in (None, ()):
        return ""
    return f"`{json.dumps(field.default)}`"


def _kind(annotation: Any) -> str:
    """What YAML value a type takes."""
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is Annotated:
        return _kind(arguments[0])
    if origin in (types.UnionType, typing.Union):
        return " or ".join(_kind(argument) for argument in arguments if argument is not type(None))
    if origin is Literal:
        return ", ".join(f"`{choice}`" for choice in arguments)
    if origin is tuple:
        return f"list of {_kind(arguments[0])}s"
    if origin is dict:
        return "mapping"
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return "mapping"
    return {str: "text", int: "whole number", float: "number", bool: "`true`, `false`"}[annotation]


def main() -> None:
    """Write both files."""
    atomic_write_text(MARKDOWN, markdown())
    atomic_write_text(JSON_SCHEMA, json_schema())


if __name__ == "__main__":
    main()
