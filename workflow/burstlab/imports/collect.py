"""From a source to a collection, which is there whole or not at all."""

from __future__ import annotations

import secrets
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from burstlab.collections.manifest import write_manifest
from burstlab.collections.places import CELLS, COLLECTIONS, MANIFEST, RUNS, names_there
from burstlab.errors import BurstlabError
from burstlab.files import sha256_of
from burstlab.imports.from_archive import import_archive
from burstlab.imports.from_folder import import_folder
from burstlab.imports.names import Named, slug
from burstlab.imports.outcome import Outcome
from burstlab.imports.rename import rename_platforms
from burstlab.imports.twice import refuse_twice
from burstlab.records.cell_record import RECORD, read_record
from burstlab.study.schema import Name, Study
from burstlab.wording import count

_NAME = TypeAdapter(Name)


@dataclass(frozen=True)
class Collected:
    """The collection that was made, and what it was made of."""

    folder: Path
    outcome: Outcome


def collect(
    source: Path,
    root: Path,
    name: str | None,
    asked: Named,
    title: str | None = None,
    *,
    platforms: Mapping[str, str] | None = None,
    study: Study | None = None,
) -> Collected:
    """Import `source`, an archive or a folder of saved benchmarks, as a collection of the study in `root`.

    `name` is by default that of the source. `platforms` has new names for platforms of an archive. Where `study` is given,
    nothing is imported that would be there twice in it. Raises BurstlabError when a collection of that name is there, when
    an option makes no sense for an archive, or when nothing of `source` can be imported; then nothing changes.
    """
    if not source.exists():
        raise BurstlabError(f"{source}: is not there; an archive or a folder of .json files was expected")
    name = _name(name or slug(source.resolve().stem), "name")
    for part in ("platform", "model", "engine", "workload"):
        if getattr(asked, part) is not None:
            _name(getattr(asked, part), part)
    folder = root / COLLECTIONS / name
    if folder.exists():
        raise BurstlabError(f"{folder}: is there already; give another --name, or remove it first")
    staging = folder.with_name(f".{name}.{secrets.token_hex(4)}.part")
    try:
        outcome = _import(source, asked, platforms or {}, root, staging)
        if not outcome.cells:
            raise BurstlabError("\n".join(["nothing was imported:", *refusals(outcome)]))
        if study is not None:
            refuse_twice(study, name, outcome)
        _write_manifest(staging, name, source, title, outcome)
        staging.rename(folder)
    except OSError as error:
        raise BurstlabError(f"{error.filename or folder}: {error.strerror or error}") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return Collected(folder, outcome)


def refusals(outcome: Outcome) -> list[str]:
    """A line for each refused file or cell, with its reason."""
    return [f"refused: {reason}" for _, reason in sorted(outcome.refused.items())]


def _name(name: str, option: str) -> str:
    try:
        return _NAME.validate_python(name)
    except ValidationError as error:
        raise BurstlabError(f"--{option} {name}: {error.errors()[0]['msg']}") from None


def _import(
    source: Path, asked: Named, platforms: Mapping[str, str], root: Path, collection: Path
) -> Outcome:
    if not (source.is_file() and zipfile.is_zipfile(source)):
        if platforms:
            raise BurstlabError("--platform: OLD=NEW is for archives; here NAME alone was expected")
        return import_folder(source, asked, collection / CELLS)
    given = [key for key, value in vars(asked).items() if value is not None]
    if given:
        cure = "give OLD=NEW, such as cpu=lab2" if given[0] == "platform" else "leave it out"
        raise BurstlabError(f"--{given[0]}: the cells of an archive have their names already; {cure}")
    here = {sha256_of(root / COLLECTIONS / name / MANIFEST) for name in names_there(root)}
    if not platforms:
        return import_archive(source, collection, here)
    before = collection / ".before"
    outcome = rename_platforms(import_archive(source, before, here), before, collection, platforms)
    shutil.rmtree(before)
    return outcome


def _write_manifest(folder: Path, name: str, source: Path, title: str | None, outcome: Outcome) -> None:
    records = [read_record(folder / CELLS / cell / RECORD) for cell in outcome.cells]
    run_records = [read_record(folder / RUNS / run / RECORD) for run in outcome.runs]
    versions: dict[str, list[str]] = {}
    machines = []
    for record in [*records, *run_records]:
        for program, version in record.versions.items():
            if version is not None:
                versions.setdefault(program, []).append(version)
        if record.hardware and record.hardware not in machines:
            machines.append(record.hardware)
    what = f" (sha256 {sha256_of(source)})" if source.is_file() else ""
    runs = f" and {count(len(run_records), 'profiled run')}" if run_records else ""
    refused = f"; {len(outcome.refused)} refused" if outcome.refused else ""
    write_manifest(
        folder,
        name=name,
        title=title or name,
        origin=f"imported from {source.resolve().name}{what}: {count(len(records), 'cell')}{runs}{refused}",
        evidence=[record.evidence for record in [*records, *run_records]],
        versions=versions,
        hardware=machines,
        git_commit=None,
    )
