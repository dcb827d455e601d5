"""Which sessions a run of the workflow has, and remembering that for its jobs.

On a cluster each job reads the rules anew, on another machine and later, when some cells are finished. It must find the sessions
of the run that submitted it: a session that is cut otherwise, or gone since it was finished before a requeue, would be another
rule.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_json
from burstlab.records.status import Verdict
from burstlab.slurm.cut import fitted
from burstlab.slurm.durations import durations
from burstlab.study.cells import Cell, Session
from burstlab.study.expand import sessions
from burstlab.study.schema import Study


def planned(study: Study, status: Mapping[Cell, Verdict], results: Path) -> list[Session]:
    """The sessions of what is missing or stale, cut to their platforms' limits. Raises BurstlabError when a cell fits none."""
    left = [cell for cell, verdict in status.items() if verdict.state != "valid"]
    on_clusters = {name for name, platform in study.platforms.items() if platform.slurm is not None}
    finished = [
        cell for cell, verdict in status.items() if verdict.state == "valid" and cell.platform in on_clusters
    ]
    expected = durations(study, status, finished if on_clusters else (), results)
    return fitted(sessions(left, study), study, expected)


def remember(plan: Sequence[Session], path: Path) -> None:
    """Write the sessions of a run that starts."""
    atomic_write_json(path, [[*_key(session), [cell.id for cell in session.cells]] for session in plan])


def recall(path: Path, cells: Sequence[Cell]) -> list[Session]:
    """The sessions of the run that this process is a job of; `cells` are all of the configuration.

    Raises BurstlabError when the configuration is another than at the run's start.
    """
    by_id = {cell.id: cell for cell in cells}
    found = []
    for platform, model, engine, part, names in json.loads(path.read_text()):
        missing = [name for name in names if name not in by_id]
        if missing:
            raise BurstlabError(
                f"the configuration no longer asks for cell {missing[0]}, which this run of the workflow was started for:"
                " stop it, and start it again with the new configuration"
            )
        found.append(Session(platform, model, engine, part, tuple(by_id[name] for name in names)))
    return found


def _key(session: Session) -> tuple[str, str, str, int]:
    return (session.platform, session.model, session.engine, session.part)
