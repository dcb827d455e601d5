"""Cells of an archive, taken over unchanged: their records say what they are."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

from burstlab.archive.contents import CELLS
from burstlab.archive.unpack import Archive, opened
from burstlab.errors import BurstlabError
from burstlab.imports.outcome import Outcome
from burstlab.records.cell_record import FILES, RAW_FILES, RECORD, check_folder, read_record

_RECORD_PATH = re.compile(rf"({re.escape(CELLS)}|collections/[^/]+/cells)/(.+)/{re.escape(RECORD)}")


def import_archive(path: Path, cells: Path) -> Outcome:
    """Unpack the cells of the archive at `path` into the folder `cells`.

    Every file is compared with the sha256 in the archive's metadata, and every cell with its own record. A
    damaged cell is refused, the others are not. Raises BurstlabError when the archive as a whole is unsafe, is
    no archive of burstlab or has no cells.
    """
    outcome = Outcome()
    with opened(path) as archive:
        places = _places(archive)
        if not places:
            raise BurstlabError(f"{path}: has no cell in it ({CELLS}/…/{RECORD})")
        for name, place in sorted(places.items()):
            try:
                _take(archive, name, place, cells)
                outcome.cells.append(name)
            except BurstlabError as error:
                # A name that the record did not confirm may be the folder above other cells.
                if (cells / name).is_dir():
                    shutil.rmtree(cells / name)
                outcome.refused[name] = str(error)
    return outcome


def _places(archive: Archive) -> dict[str, str]:
    """Where in the archive each cell lies, by its identity: measured for the study, or in one of its collections."""
    found: dict[str, str] = {}
    for name in archive.listed:
        match = _RECORD_PATH.fullmatch(name)
        if match and found.setdefault(match[2], match[1]) != match[1]:
            raise BurstlabError(f"{archive.path}: {match[2]}: is both in {found[match[2]]} and in {match[1]}")
    return found


def _take(archive: Archive, name: str, place: str, cells: Path) -> None:
    folder = cells / name
    folder.mkdir(parents=True)
    archive.extract(f"{place}/{name}/{RECORD}", folder / RECORD)
    record = read_record(folder / RECORD)
    if record.cell.cell().id != name:
        raise BurstlabError(f"{archive.path}: {name}/{RECORD}: is of {record.cell.cell().id}")
    strange = set(record.files) - {*FILES, *RAW_FILES}
    if strange:
        raise BurstlabError(f"{archive.path}: {name}/{RECORD}: files lists {', '.join(sorted(strange))}")
    for file in sorted(record.files):
        archive.extract(f"{place}/{name}/{file}", folder / file)
    check_folder(folder, record.cell.cell())
