"""Cells of an archive, taken over unchanged: their records say what they are."""

from __future__ import annotations

import re
import shutil
from collections.abc import Container, Mapping
from pathlib import Path

from burstlab.archive.contents import RESULTS
from burstlab.archive.unpack import Archive, opened
from burstlab.collections.places import CELLS, COLLECTIONS, MANIFEST, RUNS
from burstlab.collections.renamed import BENCH_COMPRESSED
from burstlab.errors import BurstlabError
from burstlab.imports.outcome import Outcome
from burstlab.imports.times_from_archive import take_times
from burstlab.records.cell_record import (
    BENCH,
    FILES,
    PROFILE_FILES,
    RAW_FILES,
    RECORD,
    check_folder,
    read_record,
)
from burstlab.records.compressed import read_compressed

_RECORD_PATH = re.compile(
    rf"((?:{RESULTS}|collections/[^/]+)/(?P<sort>{CELLS}|{RUNS}))/(?P<cell>.+)/{re.escape(RECORD)}"
)
_MANIFEST_PATH = re.compile(rf"({COLLECTIONS}/[^/]+)/{re.escape(MANIFEST)}")


def import_archive(path: Path, collection: Path, here: Container[str] = ()) -> Outcome:
    """Unpack the cells, profiled runs and times of exact batches of the archive at `path` into the folder `collection`.

    Every file is compared with the sha256 in the archive's metadata, and every cell with its own record. A
    damaged cell is refused, the others are not. Collections in it whose manifest has a SHA-256 of those in `here` are left out,
    with a note: they are here already. Raises BurstlabError when the archive as a whole is unsafe, is
    no archive of burstlab or has no cells.
    """
    outcome = Outcome()
    with opened(path) as archive:
        outcome.notes += _leave_out_known(archive, here)
        places = _places(archive, CELLS)
        if not places:
            if outcome.notes:
                raise BurstlabError(f"{path}: has nothing else: {'; '.join(outcome.notes)}")
            raise BurstlabError(f"{path}: has no cell in it ({RESULTS}/{CELLS}/…/{RECORD})")
        _take_all(archive, places, collection / CELLS, outcome.cells, outcome)
        _take_all(archive, _places(archive, RUNS), collection / RUNS, outcome.runs, outcome)
        take_times(archive, collection, outcome)
    return outcome


def _leave_out_known(archive: Archive, here: Container[str]) -> list[str]:
    """Drop the archive's collections that are here; a line for each."""
    known = [
        match[1]
        for name, listed in archive.listed.items()
        if (match := _MANIFEST_PATH.fullmatch(name)) is not None and listed.sha256 in here
    ]
    for folder in known:
        archive.leave_out(folder)
    return [f"{folder} of the archive is here already, and was left out" for folder in sorted(known)]


def _take_all(
    archive: Archive, places: Mapping[str, str], cells: Path, taken: list[str], outcome: Outcome
) -> None:
    for name, place in sorted(places.items()):
        try:
            _take(archive, name, place, cells)
            taken.append(name)
        except BurstlabError as error:
            # A name that the record did not confirm may be the folder above other cells.
            if (cells / name).is_dir():
                shutil.rmtree(cells / name)
            outcome.refused[name] = str(error)


def _places(archive: Archive, sort: str) -> dict[str, str]:
    """Where in the archive each cell of a sort lies, by its identity: in the study's results, or in one of its collections."""
    found: dict[str, str] = {}
    for name in archive.listed:
        match = _RECORD_PATH.fullmatch(name)
        if match is None or match["sort"] != sort:
            continue
        cell, place = match["cell"], match[1]
        if found.setdefault(cell, place) != place:
            raise BurstlabError(f"{archive.path}: {cell}: is both in {found[cell]} and in {place}")
    return found


def _take(archive: Archive, name: str, place: str, cells: Path) -> None:
    folder = cells / name
    folder.mkdir(parents=True)
    archive.extract(f"{place}/{name}/{RECORD}", folder / RECORD)
    record = read_record(folder / RECORD)
    if record.cell.cell().id != name:
        raise BurstlabError(f"{archive.path}: {name}/{RECORD}: is of {record.cell.cell().id}")
    strange = set(record.files) - {*FILES, *RAW_FILES, *PROFILE_FILES}
    if strange:
        raise BurstlabError(f"{archive.path}: {name}/{RECORD}: files lists {', '.join(sorted(strange))}")
    compressed = BENCH in record.files and f"{place}/{name}/{BENCH}" not in archive.listed
    for file in sorted({*record.files} - ({BENCH} if compressed else set())):
        archive.extract(f"{place}/{name}/{file}", folder / file)
    if compressed:  # as in a collection: the record is of what it holds
        archive.extract(f"{place}/{name}/{BENCH_COMPRESSED}", folder / BENCH_COMPRESSED)
        (folder / BENCH).write_bytes(read_compressed(folder / BENCH_COMPRESSED))
    check_folder(folder, record.cell.cell())
    if compressed:
        (folder / BENCH).unlink()
