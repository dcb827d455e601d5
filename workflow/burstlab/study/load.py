"""From configuration files to a checked `Study`, or to one message with a line for each fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from burstlab.errors import BurstlabError
from burstlab.study import faults
from burstlab.study.consistency import faults_between
from burstlab.study.explain import faults_of
from burstlab.study.faults import Fault
from burstlab.study.locate import Source, read_source
from burstlab.study.schema import Study

MOST_FAULTS_SHOWN = 10
_LONGEST_VALUE_SHOWN = 60
_ABSENT = object()


def read_study(path: Path, root: Path | None = None) -> Study:
    """The study that one YAML file describes. Relative paths start from `root`, default the current folder.

    Raises BurstlabError with a line for each fault.
    """
    root = root or Path()
    source = read_source(path, _label(path, root))
    return _checked({} if source.data is None else source.data, [source], root)


def load_study(config: Mapping[str, Any], sources: Sequence[Path], root: Path) -> Study:
    """The study that Snakemake's merged `config` describes.

    `sources` are the files it was merged from, later ones winning; what none holds came from `--config`.
    Relative paths start from `root`. Raises BurstlabError with a line for each fault.
    """
    return _checked(config, [read_source(path, _label(path, root)) for path in sources], root)


def _checked(config: Any, sources: Sequence[Source], root: Path) -> Study:
    repeated = list(_repeated(sources))
    if repeated:
        raise BurstlabError("\n".join(repeated[:MOST_FAULTS_SHOWN]))
    if not isinstance(config, Mapping):
        raise BurstlabError(f"{sources[-1].label}:1: a configuration must be a mapping of keys to values")
    try:
        study = Study.model_validate(dict(config)).at(root)
    except ValidationError as error:
        raise _error(faults_of(error), config, sources) from None
    between = faults_between(study)
    if between:
        raise _error(between, config, sources)
    return study


def _repeated(sources: Sequence[Source]) -> Iterator[str]:
    for source in sources:
        for key, first, second in source.repeated:
            yield f"{source.label}:{second}: {'.'.join(key)}: this key already stands in line {first}"


def _error(found: Sequence[Fault], config: Mapping[str, Any], sources: Sequence[Source]) -> BurstlabError:
    lines = [_line(fault, config, sources) for fault in found[:MOST_FAULTS_SHOWN]]
    if len(found) > MOST_FAULTS_SHOWN:
        lines.append(f"and {len(found) - MOST_FAULTS_SHOWN} more faults")
    return BurstlabError("\n".join(lines))


def _line(fault: Fault, config: Mapping[str, Any], sources: Sequence[Source]) -> str:
    value = _value(config, fault.path)
    shown = "" if value is _ABSENT or isinstance(value, Mapping) else f" = {_short(value)}"
    return f"{_place(fault.path, config, sources)}: {faults.dotted(fault.path)}{shown}: {fault.message}"


def _place(path: faults.Path, config: Mapping[str, Any], sources: Sequence[Source]) -> str:
    while _value(config, path) is _ABSENT:
        path = path[:-1]
    if not path and sources:
        return f"{sources[-1].label}:1"
    value = _value(config, path)
    for source in reversed(sources):
        there = _value(source.data, path)
        # Mappings are merged, so a file may hold only a part of one; all else is taken whole from one file.
        merged = isinstance(there, Mapping) and isinstance(value, Mapping)
        if merged or (there is not _ABSENT and _same(there, value)):
            return f"{source.label}:{source.line(path)}"
    return "--config"


def _value(data: Any, path: faults.Path) -> Any:
    for part in path:
        entries = dict(enumerate(data)) if isinstance(data, list) else data
        if not isinstance(entries, Mapping) or part not in entries:
            return _ABSENT
        data = entries[part]
    return data


def _same(left: Any, right: Any) -> bool:
    return bool(left == right) or repr(left) == repr(right)  # repr, because nan is not nan


def _short(value: Any) -> str:
    text = "empty" if value is None else repr(value)
    return text if len(text) <= _LONGEST_VALUE_SHOWN else f"{text[: _LONGEST_VALUE_SHOWN - 1]}…"


def _label(path: Path, root: Path) -> str:
    try:
        return str(path.resolve().relative_to(root.resolve()))
    except ValueError:
        return str(path)
