"""One running workflow a folder, by a lock that cannot outlive it."""

import fcntl
import os
from pathlib import Path

from burstlab.errors import BurstlabError

# The kernel drops the lock when this process ends; the descriptor must live as long.
_held: list[int] = []


def hold_workflow_lock(path: Path) -> None:
    """Lock this folder for this process until it ends. Raises BurstlabError when another workflow runs here."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        holder = os.read(descriptor, 32).decode().strip() or "unknown"
        os.close(descriptor)
        raise BurstlabError(
            f"another workflow (process {holder}) is running in {path.resolve().parents[2]}; wait for it, or stop it"
        ) from None
    os.truncate(descriptor, 0)
    os.write(descriptor, f"{os.getpid()}\n".encode())
    _held.append(descriptor)
