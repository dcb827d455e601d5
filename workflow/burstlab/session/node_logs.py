"""Logs of engine and client on the node's own disk while they are written, and beside the session's own afterwards.

The engine writes a line an iteration. Meanwhile a link stands where the log will be, so that its path is the same all the time.
"""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

from burstlab.files import move_into_place

LOGS = ("engine.log", "client.log")


@contextlib.contextmanager
def node_logs(logs: Path, scratch: Path) -> Iterator[None]:
    """Have the logs in `logs` be written in `scratch`, and move them to their place in the end."""
    for name in LOGS:
        (logs / name).unlink(missing_ok=True)
    if not scratch.is_absolute():
        yield  # the same disk
        return
    folder = scratch / "logs"
    folder.mkdir(parents=True, exist_ok=True)
    for name in LOGS:
        (folder / name).unlink(missing_ok=True)
        (logs / name).symlink_to(folder / name)
    try:
        yield
    finally:
        for name in LOGS:
            if (folder / name).exists():
                move_into_place(folder / name, logs / name)
        shutil.rmtree(folder, ignore_errors=True)
