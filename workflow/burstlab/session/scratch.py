"""Where a session keeps what it needs only while it measures.

Beside the results, so that finished files are moved without being copied; on a cluster's node on the node's own disk, so that no
network file system is waited for in the middle of a measurement.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from burstlab.session.places import Places

CHOSEN = "BURSTLAB_SCRATCH"


def scratch_folder(places: Places, variables: Mapping[str, str] | None = None) -> Path:
    """The folder, which need not be there: `BURSTLAB_SCRATCH` if it is set, in a SLURM job its own or the node's TMPDIR."""
    known = os.environ if variables is None else variables
    job = known.get("SLURM_JOB_ID")
    chosen = known.get(CHOSEN) or (job and (known.get("SLURM_TMPDIR") or known.get("TMPDIR")))
    return Path(chosen) / f"burstlab-{job or os.getpid()}" if chosen else places.results / "scratch"


@contextlib.contextmanager
def cell_scratch(top: Path, cell: str) -> Iterator[Path]:
    """An empty folder below `top` for the cell of this identity.

    What lies in it stays if the measurement fails; of folders that are empty then, `top` included, none does.
    """
    folder = top / cell
    shutil.rmtree(folder, ignore_errors=True)
    _make(folder)
    try:
        yield folder
        shutil.rmtree(folder, ignore_errors=True)
    finally:
        _clear(folder, top)


def _make(folder: Path) -> None:
    # Another session may clear a parent away between its making and that of its child.
    for _ in range(100):
        with contextlib.suppress(FileNotFoundError):
            folder.mkdir(parents=True, exist_ok=True)
            return
    folder.mkdir(parents=True, exist_ok=True)


def _clear(folder: Path, top: Path) -> None:
    for place in (folder, *folder.parents):
        try:
            place.rmdir()
        except FileNotFoundError:
            pass
        except OSError:  # not empty
            return
        if place == top:
            return


def without_scratch(words: list[str], scratch: Path, name: str) -> list[str]:
    """The words of a command with a folder of this machine's disk called `name`: records travel."""
    return [word.replace(str(scratch), name) for word in words]
