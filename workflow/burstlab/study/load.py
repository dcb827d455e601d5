"""From configuration files to a checked `Study`, or to one message with a line for each fault."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from burstlab.errors import BurstlabError
from burstlab.study.consistency import faults_between
from burstlab.study.explain import faults_of
from burstlab.study.faults import Fault
from burstlab.study.locate import Source, read_source
from burstlab.study.place import KeyPlaces
from burstlab.study.schema import Study
from burstlab.study.simulated import faults_of_mode, simulated

MOST_FAULTS_SHOWN = 10


def read_study(path: Path | Sequence[Path], root: Path | None = None) -> Study:
    """The study that a YAML file describes, or several, each laid over those before it.

    Relative paths start from `root`, default the current folder. Raises BurstlabError with a line for each fault.
    """
    study, _ = read_study_and_places(path, root)
    return study


def read_study_and_places(path: Path | Sequence[Path], root: Path | None = None) -> tuple[Study, KeyPlaces]:
    """`read_study`, and where each key stands."""
    root = root or Path()
    sources = [read_source(one, label(one, root)) for one in ([path] if isinstance(path, Path) else path)]
    config: Any = {}
    for source in sources:
        _require_mapping(source)
        config = laid_over(config, source.data)
    return _checked(config, sources, root), KeyPlaces(config, sources)


def laid_over(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """One configuration of two, as Snakemake makes it: mappings are merged key by key, all else is replaced."""
    merged = dict(below)
    for key, value in above.items():
        both = isinstance(value, Mapping) and isinstance(merged.get(key), Mapping)
        merged[key] = laid_over(merged[key], value) if both else value
    return merged


def load_study(config: Mapping[str, Any], sources: Sequence[Path], root: Path) -> Study:
    """The study that Snakemake's merged `config` describes.

    `sources` are the files it was merged from, later ones winning; what none holds came from `--config`.
    Relative paths start from `root`. Raises BurstlabError with a line for each fault.
    """
    return _checked(config, [read_source(path, label(path, root)) for path in sources], root)


def key_places(config: Mapping[str, Any], sources: Sequence[Path], root: Path) -> KeyPlaces:
    """Where each key of Snakemake's merged `config` stands; arguments as those of `load_study`."""
    return KeyPlaces(config, [read_source(path, label(path, root)) for path in sources])


def require_mapping(path: Path) -> None:
    """Raise BurstlabError unless the file is YAML with keys at its top, of which Snakemake says neither file nor line."""
    _require_mapping(read_source(path, str(path)))


def _require_mapping(source: Source) -> None:
    if not isinstance(source.data, Mapping):
        what = "this file is empty" if source.data is None else f"this is a {type(source.data).__name__}"
        raise BurstlabError(f"{source.label}:1: a configuration must be a mapping of keys to values; {what}")


def _checked(config: Mapping[str, Any], sources: Sequence[Source], root: Path) -> Study:
    repeated = list(_repeated(sources))
    if repeated:
        raise BurstlabError("\n".join(repeated[:MOST_FAULTS_SHOWN]))
    try:
        study = Study.model_validate(dict(config)).at(root)
    except ValidationError as error:
        raise _error(faults_of(error), config, sources) from None
    between = faults_between(study)
    if study.mode == "simulated" and not between:
        between = list(faults_of_mode(study))
        if not between:
            study = simulated(study)
            between = faults_between(study)  # blocks and their lists are where they were
    if between:
        raise _error(between, config, sources)
    return study


def _repeated(sources: Sequence[Source]) -> Iterator[str]:
    for source in sources:
        for key, first, second in source.repeated:
            yield f"{source.label}:{second}: {'.'.join(key)}: this key already stands in line {first}"


def _error(found: Sequence[Fault], config: Mapping[str, Any], sources: Sequence[Source]) -> BurstlabError:
    places = KeyPlaces(config, sources)
    lines = [f"{places.where(fault.path)}: {fault.message}" for fault in found[:MOST_FAULTS_SHOWN]]
    if len(found) > MOST_FAULTS_SHOWN:
        lines.append(f"and {len(found) - MOST_FAULTS_SHOWN} more faults")
    return BurstlabError("\n".join(lines))


def label(path: Path, root: Path) -> str:
    """What messages call a configuration file: its path from `root`, if it is below that."""
    try:
        return str(path.resolve().relative_to(root.resolve()))
    except ValueError:
        return str(path)
