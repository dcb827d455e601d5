"""Logs of engine and client on the node's own disk while they are written, and beside the session's own afterwards.

The engine writes a line an iteration. Meanwhile a link stands where the log will be, so that its path is the same all the time.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.files import move_into_place
from burstlab.session.space import explained, require_space

LOGS = ("engine.log", "client.log")


@contextlib.contextmanager
def node_logs(logs: Path, scratch: Path) -> Iterator[None]:
    """Have the logs in `logs` be written in `scratch`, and in the end move them to their place and clear the scratch folder.

    Raises BurstlabError when its disk is full.
    """
    for name in LOGS:
        (logs / name).unlink(missing_ok=True)
    require_space(scratch)
    if not scratch.is_absolute():  # the same disk
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # not empty: another session's, or what a failed cell left
                scratch.rmdir()
        return
    folder = scratch / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    for name in LOGS:
        (folder / name).unlink(missing_ok=True)
        (logs / name).symlink_to(folder / name)
    try:
        yield
    except BurstlabError as error:
        raise explained(error, folder) from None
    finally:
        for name in LOGS:
            if (folder / name).exists():
                move_into_place(folder / name, logs / name)
        shutil.rmtree(scratch, ignore_errors=True)
