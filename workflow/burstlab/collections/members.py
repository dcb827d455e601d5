"""The cells of the collections that a study names, beside its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePath

from burstlab.collections.checked import checked
from burstlab.collections.manifest import read_manifest
from burstlab.collections.places import CELLS, COLLECTIONS, RUNS, names_there
from burstlab.errors import BurstlabError
from burstlab.exact_batches.targets import engine_of
from burstlab.records.cell_record import read_record
from burstlab.study.cells import Cell
from burstlab.study.schema import Study
from burstlab.study.simulable import SUFFIX

Group = tuple[str, str, str, str]
_RECORD = "/cell.json"
_SLASHES = 6  # in a cell's identity


@dataclass(frozen=True, slots=True, order=True)
class CollectedCell:
    """A finished cell: its identity as a path, the folder of its collection, and the SHA-256 of its `cell.json`.

    The folder is relative to the study's root. `below` is that of all cells of its sort in there.
    """

    id: str
    collection: str
    record_sha256: str
    below: str = CELLS

    @property
    def record(self) -> str:
        """Its `cell.json`."""
        return f"{self.collection}/{self.below}/{self.id}{_RECORD}"

    @property
    def group(self) -> Group:
        """Platform, model, engine and workload."""
        platform, model, engine, workload, *_ = self.id.split("/")
        return (platform, model, engine, workload)


def names_of(study: Study) -> list[str]:
    """Names of the study's collections, sorted."""
    return names_there(study.root) if study.collections == "all" else sorted(study.collections)


def folders_of(study: Study) -> list[str]:
    """Their folders, relative to the study's root."""
    return [(COLLECTIONS / name).as_posix() for name in names_of(study)]


def collected_cells(study: Study, own: Iterable[Cell], index: Path) -> tuple[CollectedCell, ...]:
    """All cells of the study's collections, each of which is checked to be whole; sorted.

    `own` are the cells of the study's blocks, `index` makes the next call fast (see `checked`). Of a simulated cell that is
    there twice the study's own is the one, which is simulated as this version does. Raises BurstlabError where a collection is
    damaged, or any other cell is there twice, naming both places.
    """
    return _collected(study, own, index, CELLS)


def collected_runs(study: Study, own: Iterable[Cell], index: Path) -> tuple[CollectedCell, ...]:
    """The same of profiled runs; `own` are those of the study's `profiles`."""
    return _collected(study, own, index, RUNS)


def collected_exact_batches(study: Study, own: Iterable[str] = ()) -> list[str]:
    """The files with times of exact batches in the study's collections, which are whole if `collected_cells` found so.

    `own` are those of the study's own engines. The same file of two collections is one, and of a simulated engine the study's
    own is the one. Raises BurstlabError where an engine's times are there twice otherwise, naming both places.
    """
    places: dict[str, tuple[str, str | None]] = {engine_of(PurePath(path)): (path, None) for path in own}
    simulated = {engine for engine in places if engine.partition("/")[0].endswith(SUFFIX)}
    found = []
    for folder in folders_of(study):
        manifest = read_manifest(study.root / folder)
        for name in manifest.exact_batches:
            path, digest = f"{folder}/{name}", manifest.files[name].sha256
            engine = engine_of(PurePath(name))
            if engine not in places:
                places[engine] = (path, digest)
                found.append(path)
            elif engine not in simulated and places[engine][1] != digest:
                raise BurstlabError(
                    f"exact batches of {engine} were timed twice: {places[engine][0]}; and {path}. "
                    "Leave one of them out: see `collections` in the configuration"
                )
    return found


def _collected(study: Study, own: Iterable[Cell], index: Path, below: str) -> tuple[CollectedCell, ...]:
    own = list(own)
    simulated = {cell.id for cell in own if study.platforms[cell.platform].simulated}
    places = {cell.id: f"results/{below}/{cell.id}, for which the configuration's blocks ask" for cell in own}
    found = []
    for folder in folders_of(study):
        manifest = checked(study.root / folder, index)
        for path in manifest.records if below == CELLS else manifest.profiled_records:
            name = path.removeprefix(f"{below}/").removesuffix(_RECORD)
            if name.count("/") != _SLASHES:
                raise BurstlabError(
                    f"{folder}/{path}: is not where a cell's record lies: "
                    f"{below}/<platform>/<model>/<engine>/<workload>/rate-<r>/burst-<b>/seed-<s>/cell.json"
                )
            cell = CollectedCell(name, folder, manifest.files[path].sha256, below)
            place = f"{folder}/{below}/{cell.id}"
            if cell.id in simulated:
                continue
            if cell.id in places:
                raise BurstlabError(
                    f"the cell {cell.id} is there twice: {places[cell.id]}; and {place}. "
                    "Leave one of them out: see `collections` in the configuration"
                )
            places[cell.id] = place
            found.append(cell)
    return tuple(sorted(found))


def collected_sources(cells: Iterable[CollectedCell], root: Path) -> Iterator[tuple[Group, str]]:
    """For each group where its prompts come from, as the record of its first cell says."""
    seen: set[Group] = set()
    for cell in cells:
        if cell.group not in seen:
            seen.add(cell.group)
            workload = read_record(root / cell.record).specification.get("workload")
            dataset = workload.get("dataset") if isinstance(workload, dict) else None
            if isinstance(dataset, dict) and "source" in dataset:
                yield cell.group, str(dataset["source"])
