"""The session of a job, from its name alone."""

from __future__ import annotations

from burstlab.study.cells import Cell, Session
from burstlab.study.expand import cells, sessions
from burstlab.study.schema import Study


def named(session_id: str, study: Study) -> Session:
    """The session with all cells of its platform, model and engine, in the order in which a session measures them.

    Its part says only where its log is: which of the cells are this job's depends on what was measured when it was planned.
    """
    platform, model, engine, part = session_id.split("/")
    found: list[Cell] = []
    for session in sessions(cells(study), study):
        if (session.platform, session.model, session.engine) == (platform, model, engine):
            found += session.cells
    return Session(platform, model, engine, int(part), tuple(found))
