"""All cells and tables of a study: its results, and the collections beside them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from burstlab.collections.manifest import check_manifest
from burstlab.collections.places import CELLS, COLLECTIONS, EXACT_BATCHES, RUNS, names_there
from burstlab.errors import BurstlabError
from burstlab.records.cell_record import RECORD
from burstlab.tables.study_tables import CELLS_TABLE
from burstlab.verify.cell import verify_cell
from burstlab.verify.exact_batches import TIMES_TABLE, exact_batches_differences
from burstlab.verify.profiles import RUN_TABLES, run_differences
from burstlab.verify.simulator import simulator_differences
from burstlab.verify.tables import table_differences_of
from burstlab.verify.verdicts import VERDICTS_TABLE, verdict_differences


@dataclass
class Found:
    """How many cells and profiled runs were looked at, what differs, and how many of either lack which raw file."""

    cells: int = 0
    runs: int = 0
    tables: list[str] = field(default_factory=list)
    differences: list[str] = field(default_factory=list)
    not_raw: Counter[str] = field(default_factory=Counter)
    runs_not_raw: Counter[str] = field(default_factory=Counter)


def verify(results: Path) -> Found:
    """Verify the folder `results` and each collection of `collections/` beside it.

    Raises BurstlabError where neither is there.
    """
    root = results.parent
    if not results.is_dir() and not names_there(root):
        raise BurstlabError(f"{results}: is not there, nor a collection in {root / COLLECTIONS} beside it")
    found = Found()
    shipped: dict[str, Path] = {}
    shipped_runs: dict[str, Path] = {}
    shipped_times: list[Path] = []
    for name in names_there(root):
        folder = root / COLLECTIONS / name
        try:
            check_manifest(folder)
        except BurstlabError as error:
            found.differences.append(str(error))
        of_collection, runs = _cells(folder, found), _runs(folder, found)
        times = _times(folder)
        _tables(folder, of_collection, runs, times, found)
        shipped |= of_collection
        shipped_runs |= runs
        shipped_times += times
    own, own_runs = _cells(results, found), _runs(results, found)
    _tables(
        results, {**shipped, **own}, {**shipped_runs, **own_runs}, [*shipped_times, *_times(results)], found
    )
    return found


def _cells(folder: Path, found: Found) -> dict[str, Path]:
    """The folder of each cell below `folder`, by its identity, once it is verified."""
    there = _verified(folder / CELLS, found.differences, found.not_raw)
    found.cells += len(there)
    return there


def _runs(folder: Path, found: Found) -> dict[str, Path]:
    """The same of profiled runs."""
    there = _verified(folder / RUNS, found.differences, found.runs_not_raw)
    found.runs += len(there)
    return there


def _verified(cells: Path, differences: list[str], not_raw: Counter[str]) -> dict[str, Path]:
    there = {path.parent.relative_to(cells).as_posix(): path.parent for path in sorted(cells.rglob(RECORD))}
    for path in there.values():
        of_cell = verify_cell(path)
        differences += [f"{path}: {difference}" for difference in of_cell.differences]
        not_raw.update(of_cell.not_raw)
    return there


def _times(folder: Path) -> list[Path]:
    """The files with times of exact batches below `folder`."""
    return sorted((folder / EXACT_BATCHES).glob("*/*/*.json"))


def _tables(
    folder: Path, cells: dict[str, Path], runs: dict[str, Path], times: list[Path], found: Found
) -> None:
    tables = folder / "tables"
    if (tables / CELLS_TABLE).exists():
        found.tables.append(str(tables))
        found.differences += table_differences_of(tables, cells)
        if (tables / VERDICTS_TABLE).exists():
            found.differences += verdict_differences(tables)
    if any((tables / name).exists() for name in RUN_TABLES):
        found.differences += run_differences(tables, runs)
    if (tables / TIMES_TABLE).exists():
        found.differences += exact_batches_differences(tables, times)
    found.differences += simulator_differences(tables, cells)
