"""Which file an archive is, and what a job that packs it needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from burstlab.archive.job import WHOLE
from burstlab.archive.selection import matches
from burstlab.errors import BurstlabError
from burstlab.session.targets import RESULTS, cell_record
from burstlab.study.cells import Cell


def archive_file(selection: str | None) -> Path:
    """Where the archive of the cells below the folder `selection`, or of the whole study (None), is unless told otherwise.

    Raises BurstlabError for a pattern, which no file is named after.
    """
    if selection is not None and any(sign in selection for sign in "*?["):
        raise BurstlabError(f"--cells {selection}: a pattern is no name of a file; give one by --output FILE")
    return Path(RESULTS) / "archives" / f"{WHOLE if selection is None else selection.rstrip('/')}.zip"


def needs(selection: str, cells: Sequence[Cell], whole: Sequence[str]) -> list[str]:
    """Records of the selected cells, and for the whole study the files `whole` as well.

    Raises BurstlabError when no cell matches.
    """
    chosen = [cell_record(cell) for cell in cells if selection == WHOLE or matches(cell, selection)]
    if not chosen and selection != WHOLE:
        raise BurstlabError(
            f"{selection}: no cell of the study lies there; `burstlab cells --config FILE` lists them"
        )
    return [*chosen, *(whole if selection == WHOLE else [])]
