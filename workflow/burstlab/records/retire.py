"""Moving a stale cell out of the way. Nothing measured is deleted."""

from __future__ import annotations

import errno
import itertools
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.records.backups import forget_backup
from burstlab.records.cell_record import RECORD
from burstlab.study.cells import Cell

_TAKEN = {errno.ENOTEMPTY, errno.EEXIST, errno.ENOTDIR}


def retire(cell: Cell, results: Path) -> Path | None:
    """Move the folder of `cell` to `results/retired/<cell id>/<n>`, n being the next free number from 1.

    Snakemake's copy of its record is forgotten (see `backups`). One rename, so at any moment all its files are in the one place
    or in the other. Returns the new folder, or None when there is nothing to move: doing it twice is doing it once. Raises
    BurstlabError when it cannot be moved.
    """
    folder = results / "cells" / cell.id
    forget_backup(folder / RECORD)
    if not folder.is_dir() or not any(folder.iterdir()):
        return None
    attic = results / "retired" / cell.id
    try:
        attic.mkdir(parents=True, exist_ok=True)
        for number in itertools.count(1):
            target = attic / str(number)
            if target.exists():
                continue
            try:
                return folder.rename(target)
            except OSError as error:
                if error.errno not in _TAKEN:  # else another process was faster with this number
                    raise
    except OSError as error:
        raise BurstlabError(f"{folder}: cannot be moved to {attic}: {error.strerror}") from error
    raise AssertionError("numbers do not end")
