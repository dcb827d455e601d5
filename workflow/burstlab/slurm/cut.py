"""Cutting sessions so that each fits the time limit of its job.

Cells are targets of their own, so another cut than last time makes none of them stale.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

from burstlab.errors import BurstlabError
from burstlab.slurm.durations import Durations
from burstlab.study.cells import Cell, Session
from burstlab.study.schema import Study

# Share of the time limit that is planned for: estimates err, and a node may be slower than the one measured.
PLANNED_SHARE = 0.8


def fitted(sessions: Iterable[Session], study: Study, expected: Durations) -> list[Session]:
    """The sessions, cut further where their platform's jobs have a time limit; parts are counted anew.

    Raises BurstlabError when a single cell does not fit.
    """
    found: list[Session] = []
    parts: dict[tuple[str, str, str], int] = {}
    for session in sessions:
        engine = (session.platform, session.model, session.engine)
        for cells in _pieces(session, study, expected):
            part = parts.get(engine, 0)
            parts[engine] = part + 1
            found.append(Session(*engine, part=part, cells=cells))
    return found


def _pieces(session: Session, study: Study, expected: Durations) -> Iterator[tuple[Cell, ...]]:
    slurm = study.platforms[session.platform].slurm
    if slurm is None or not session.cells:
        yield session.cells
        return
    limit_s = PLANNED_SHARE * 60 * slurm.runtime_minutes
    start_s = expected.of_start(session.cells[0])
    piece: list[Cell] = []
    used_s = start_s
    for cell in session.cells:
        cell_s = expected.of_cell(cell)
        if start_s + cell_s > limit_s:
            raise _too_long(cell, start_s, cell_s, slurm.runtime_minutes)
        if used_s + cell_s > limit_s:
            yield tuple(piece)
            piece, used_s = [], start_s
        piece.append(cell)
        used_s += cell_s
    yield tuple(piece)


def _too_long(cell: Cell, start_s: float, cell_s: float, minutes: int) -> BurstlabError:
    least = math.ceil((start_s + cell_s) / PLANNED_SHARE / 60)
    return BurstlabError(
        f"platforms.{cell.platform}.slurm.runtime_minutes = {minutes}: too short for cell {cell.id} alone, which is expected"
        f" to take {cell_s:.0f} s after {start_s:.0f} s for its engine's start; give at least {least}"
    )
