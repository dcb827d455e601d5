"""The workflow's job that measures or simulates the cells of a session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def session_from_workflow(
    *,
    config: Mapping[str, Any],
    session_id: str,
    wanted: Sequence[Path],
    log: Path,
    workflow_pid: int,
    of_profiles: bool,
    simulated: bool,
) -> None:
    """Make the cells whose records are `wanted`; neither way of it loads what the other takes.

    Raises SystemExit with a short message when a cell failed.
    """
    if simulated:
        from burstlab.session.simulate import simulate_from_workflow

        simulate_from_workflow(
            config=config, session_id=session_id, wanted=wanted, log=log, of_profiles=of_profiles
        )
    else:
        from burstlab.session.run import run_from_workflow

        run_from_workflow(
            config=config,
            session_id=session_id,
            wanted=wanted,
            log=log,
            workflow_pid=workflow_pid,
            of_profiles=of_profiles,
        )
