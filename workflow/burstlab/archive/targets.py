"""What a job that packs needs."""

from __future__ import annotations

from collections.abc import Sequence

from burstlab.archive.job import WHOLE
from burstlab.archive.selection import matches
from burstlab.errors import BurstlabError
from burstlab.session.targets import cell_record
from burstlab.study.cells import Cell


def needs(selection: str, cells: Sequence[Cell], whole: Sequence[str]) -> list[str]:
    """Records of the selected cells, and for the whole study the files `whole` as well.

    Raises BurstlabError when no cell matches.
    """
    chosen = [cell_record(cell) for cell in cells if selection == WHOLE or matches(cell, selection)]
    if not chosen and selection != WHOLE:
        raise BurstlabError(f"{selection}: no cell of the study lies there; `burstlab cells` lists them")
    return [*chosen, *(whole if selection == WHOLE else [])]
