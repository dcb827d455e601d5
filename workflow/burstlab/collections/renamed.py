"""A copy of a finished cell whose platform is named after the machine it was measured on."""

from __future__ import annotations

import dataclasses
import json
import shutil
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.records.cell_record import BENCH, RECORD, SIMULATED, check_folder, write_content
from burstlab.records.compressed import SUFFIX, write_compressed
from burstlab.records.schema import CellRecord
from burstlab.study.cells import Cell

BENCH_COMPRESSED = f"{BENCH}{SUFFIX}"


def copy_renamed(cell: Cell, folder: Path, cells: Path, platform: str) -> CellRecord:
    """Copy `cell` from `folder` to its place below `cells`, its platform called `platform`; returns its record.

    The name is changed where the cell's identity and specification have it; `collected_from` keeps the hashes of
    before. `bench.json` is kept compressed; what the record says of it is of what it held. A cell that keeps its platform's
    name, as what is simulated does, is copied as it is. Raises BurstlabError when the cell is not whole.
    """
    before = check_folder(folder, cell)
    if before.evidence == SIMULATED:
        return _copy_simulated(before, cell, folder, cells, platform)
    content = json.loads((folder / RECORD).read_bytes())
    specified = content["specification"].get("platform")
    if not isinstance(specified, dict) or specified.get("name") != cell.platform:
        raise BurstlabError(f"{folder / RECORD}: specification.platform.name is not {cell.platform}")
    specified["name"] = platform
    content["cell"]["platform"] = platform
    content["collected_from"] = {
        "platform": cell.platform,
        "specification_sha256": before.specification_sha256,
        "record_sha256": before.record_sha256,
    }
    target = cells / dataclasses.replace(cell, platform=platform).id
    try:
        target.mkdir(parents=True)
        write_compressed(target / BENCH_COMPRESSED, (folder / BENCH).read_bytes())
        for name in sorted(set(before.files) - {BENCH}):
            shutil.copyfile(folder / name, target / name)
    except FileExistsError:
        raise BurstlabError(
            f"two cells would be {target.relative_to(cells)}: give their platforms two names"
        ) from None
    except OSError as error:
        raise BurstlabError(f"{folder}: cannot be copied to {target}: {error.strerror}") from error
    return write_content(target / RECORD, content)


def _copy_simulated(record: CellRecord, cell: Cell, folder: Path, cells: Path, platform: str) -> CellRecord:
    """It was on no machine, after which its platform could be named."""
    if platform != cell.platform:
        raise BurstlabError(f"{cell.platform} is simulated, and keeps its name; here: {platform}")
    target = cells / cell.id
    try:
        target.mkdir(parents=True)
        for name in (RECORD, *sorted(record.files)):
            shutil.copyfile(folder / name, target / name)
    except OSError as error:
        raise BurstlabError(f"{folder}: cannot be copied to {target}: {error.strerror}") from error
    return record
