"""Finding processes that an earlier session on this machine left behind, by a tag in their environment.

Every guarded process carries `BURSTLAB_OWNER=<pid>:<start time>:<PID namespace>` of the session that started it. A tagged process
whose owner no longer runs is a leftover: only the simultaneous kill -9 of a session and its guardian makes one.
"""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from burstlab.engine.guardian import signal_all

OWNER = "BURSTLAB_OWNER"
_PROC = Path("/proc")


def _start_ticks(pid: int) -> str | None:
    """Start time of a process in clock ticks after boot (field 22 of /proc/<pid>/stat), None when it is gone or a zombie."""
    try:
        fields = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in ("Z", "X") else fields[19]


def owner_tag(pid: int | None = None) -> str:
    """The tag of a running process of this namespace, by default this one; unique even when process ids are reused."""
    pid = os.getpid() if pid is None else pid
    return f"{pid}:{_start_ticks(pid)}:{_namespace()}"


def _namespace() -> str:
    return str((_PROC / "self/ns/pid").readlink())


def _tagged() -> Iterator[tuple[int, str]]:
    """(process id, owner tag) of every tagged process of this user."""
    prefix = f"{OWNER}=".encode()
    for folder in _PROC.iterdir():
        if not folder.name.isdigit():
            continue
        try:
            environment = (folder / "environ").read_bytes()
        except OSError:
            continue
        for entry in environment.split(b"\0"):
            if entry.startswith(prefix):
                yield int(folder.name), entry[len(prefix) :].decode(errors="replace")


def owned_by(tag: str, session: int | None = None) -> list[int]:
    """Process ids tagged with `tag`, those of the process session `session` only when given."""
    found = []
    for pid, owner in _tagged():
        if owner != tag or pid == os.getpid():
            continue
        try:
            if session is None or os.getsid(pid) == session:
                found.append(pid)
        except ProcessLookupError:
            continue
    return found


def find() -> list[int]:
    """Process ids whose owner has ended."""
    return [pid for pid, owner in _tagged() if _owner_is_gone(owner)]


def _owner_is_gone(tag: str) -> bool:
    pid, _, rest = tag.partition(":")
    # A container's session has process ids of its own: from outside, nothing can be said of it.
    here = rest.partition(":")[2] == _namespace()
    return here and pid.isdigit() and owner_tag(int(pid)) != tag


def end_all(patience_s: float = 5.0) -> list[int]:
    """Kill all leftovers and wait until they are gone; returns their process ids."""
    ended: list[int] = []
    deadline = time.monotonic() + patience_s
    while (left := find()) and time.monotonic() < deadline:
        ended += [pid for pid in left if pid not in ended]
        signal_all(left, signal.SIGKILL)
        time.sleep(0.02)
    return ended
