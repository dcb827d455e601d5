"""Making a collection of the finished cells of a study."""

from __future__ import annotations

import secrets
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from burstlab.collections.draw import draw
from burstlab.collections.exact_batches import copy_exact_batches
from burstlab.collections.facts import facts_of
from burstlab.collections.manifest import Manifest, write_manifest
from burstlab.collections.members import CollectedCell
from burstlab.collections.places import CELLS, COLLECTIONS, EXACT_BATCHES, RUNS
from burstlab.collections.renamed import copy_renamed
from burstlab.errors import BurstlabError
from burstlab.exact_batches.targets import engine_of, kept
from burstlab.records.schema import CellRecord
from burstlab.records.status import Verdict, status
from burstlab.study.cells import Cell
from burstlab.study.expand import cells as all_cells
from burstlab.study.profiled import profiled
from burstlab.study.schema import Study
from burstlab.study.specification import specifications

FAULTS_SHOWN = 10


def collect(
    study: Study,
    name: str,
    platforms: Mapping[str, str],
    title: str | None = None,
    origin: str | None = None,
    *,
    simulated: bool = False,
) -> Manifest:
    """Make the collection `collections/<name>` of all cells and profiled runs of `study`, with tables, figures and manifest.

    `platforms` says for each platform of the study what it is called in the collection: after the machine, so
    that its cells stand beside those measured elsewhere. Simulated cells, which anyone can make anew in seconds, are left out
    unless `simulated` is said, and keep their platform's name. The collection is there whole or not at all. Raises
    BurstlabError when it is there already, a platform has no new name, or a cell is missing or stale.
    """
    folder = study.root / COLLECTIONS / name
    if folder.exists():
        raise BurstlabError(f"{folder}: is there already; remove it first, or give the new one another name")
    cells, foretold = _measured_and_simulated(study, all_cells(study))
    platforms = {**{cell.platform: cell.platform for cell in foretold if simulated}, **platforms}
    cells = (*cells, *(foretold if simulated else ()))
    if foretold and not cells:
        raise BurstlabError(
            f"the study {study.name} has no cells but simulated ones: add --simulated to collect them"
        )
    _all_named(cells, platforms)
    results = study.root / "results"
    runs, of_runs = _runs_of(study, simulated=simulated), results / "profiles"
    _all_valid("cells", status(cells, specifications(cells, study), results, study.root / _INDEX))
    _all_valid("profiled runs", runs)
    staging = folder.with_name(f".{name}.{secrets.token_hex(4)}.part")
    try:
        records = list(_copied(cells, results, staging / CELLS, platforms))
        run_records = list(_copied(runs, of_runs, staging / RUNS, platforms))
        exact = list(copy_exact_batches(_times(study, platforms), staging / EXACT_BATCHES, platforms))
        draw(staging, _members(records, CELLS), _members(run_records, RUNS), exact)
        facts = facts_of([*records, *run_records])
        manifest = write_manifest(
            staging,
            name=name,
            title=title or f"The study {study.name}, on {', '.join(sorted(set(platforms.values())))}",
            origin=origin or f"collected from a run of the study {study.name}",
            evidence=sorted(facts.evidence),
            versions={program: sorted(some) for program, some in facts.versions.items()},
            hardware=facts.hardware,
            git_commit=_commit(study.root),
        )
        staging.rename(folder)
    except OSError as error:
        raise BurstlabError(f"{folder}: cannot be made: {error.strerror or error}") from error
    finally:
        shutil.rmtree(staging, ignore_errors=True)
    return manifest


def _times(study: Study, platforms: Mapping[str, str]) -> list[Path]:
    """The files with times of exact batches on the platforms that are collected."""
    return [file for file in kept(study) if engine_of(file).partition("/")[0] in platforms]


def _measured_and_simulated(study: Study, cells: Iterable[Cell]) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
    found: dict[bool, list[Cell]] = {False: [], True: []}
    for cell in cells:
        found[study.platforms[cell.platform].simulated].append(cell)
    return tuple(found[False]), tuple(found[True])


_INDEX = Path(".snakemake/burstlab/index.json")
_INDEX_OF_RUNS = _INDEX.with_name("index-profile.json")


def _runs_of(study: Study, *, simulated: bool) -> dict[Cell, Verdict]:
    """The profiled runs, and whether each is there; `simulated` ones too, or not."""
    of_runs = profiled(study)
    if of_runs is None:
        return {}
    measured, foretold = _measured_and_simulated(of_runs, all_cells(of_runs))
    runs = (*measured, *(foretold if simulated else ()))
    asked = specifications(runs, of_runs)
    return status(runs, asked, study.root / "results/profiles", study.root / _INDEX_OF_RUNS)


def _members(records: Iterable[CellRecord], below: str) -> list[CollectedCell]:
    return [CollectedCell(one.cell.cell().id, ".", one.record_sha256, below) for one in records]


def _all_named(cells: tuple[Cell, ...], platforms: Mapping[str, str]) -> None:
    of_study = {cell.platform for cell in cells}
    for platform in sorted(of_study - platforms.keys()):
        raise BurstlabError(
            f"--platform: {platform} has no name: say on what machine it was, such as {platform}=xeon-2-cores"
        )
    for platform in sorted(platforms.keys() - of_study):
        raise BurstlabError(
            f"--platform: the study has no cells on {platform}, but on {', '.join(sorted(of_study)) or 'none'}"
        )


def _all_valid(what: str, found: Mapping[Cell, Verdict]) -> None:
    faulty = [f"  {cell.id}: {verdict.reason}" for cell, verdict in found.items() if verdict.state != "valid"]
    if faulty:
        more = [f"  and {len(faulty) - FAULTS_SHOWN} more"] if len(faulty) > FAULTS_SHOWN else []
        count = f"{len(faulty)} of {len(found)} {what} of the study are not measured as it asks for them:"
        raise BurstlabError("\n".join([count, *faulty[:FAULTS_SHOWN], *more]))


def _copied(
    cells: Iterable[Cell], results: Path, target: Path, platforms: Mapping[str, str]
) -> Iterator[CellRecord]:
    for cell in cells:
        yield copy_renamed(cell, results / "cells" / cell.id, target, platforms[cell.platform])


def _commit(root: Path) -> str | None:
    try:
        done = subprocess.run(
            ["git", "rev-parse", "HEAD"], cwd=root, capture_output=True, text=True, check=True, timeout=60
        )
    except (OSError, subprocess.SubprocessError):  # no git, or no repository
        return None
    return done.stdout.strip()
