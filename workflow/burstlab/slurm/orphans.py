"""Jobs that a killed workflow left in the queue.

A kill -9 of Snakemake leaves its jobs waiting or running, and no other Snakemake can take them over. They are known by their
name's beginning, which the profile sets, and the folder they run in; whoever asks must hold the folder's lock, so that they
are nobody's.
"""

from __future__ import annotations

import getpass
import time
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.slurm.ask import ask

PREFIX = "burstlab_"
_PATIENCE_S = 120.0
_POLL_S = 1.0


def orphans(folder: Path) -> list[str]:
    """Ids of this user's jobs of earlier workflows in `folder` that wait, run or end."""
    command = ["squeue", "--noheader", "--user", getpass.getuser(), "--format=%i|%j|%Z"]
    rows = [line.split("|", 2) for line in ask(command).splitlines() if line.count("|") >= 2]
    return [job for job, name, where in rows if name.startswith(PREFIX) and Path(where) == folder]


def cancel_orphans(folder: Path) -> list[str]:
    """Cancel such jobs and wait until they are gone; returns their ids. Raises BurstlabError when they stay."""
    found = orphans(folder)
    if not found:
        return []
    ask(["scancel", *found])
    deadline = time.monotonic() + _PATIENCE_S
    while left := orphans(folder):
        if time.monotonic() > deadline:
            raise BurstlabError(
                f"jobs {', '.join(left)} of an earlier workflow here cannot be cancelled: try scancel"
            )
        time.sleep(_POLL_S)
    return found
