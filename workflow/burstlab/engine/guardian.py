"""A small parent process that takes its whole tree of children with it, however its own owner ends.

Run as a program, with any Python (standard library only)::

    python guardian.py LIFELINE_FD GRACE_S -- COMMAND [ARGUMENT ...]

`LIFELINE_FD` is the reading end of a pipe whose writing end only the owner holds. When the owner ends, by whatever signal,
the pipe closes, and the guardian ends every descendant. It is a child subreaper (prctl(2)), so a grandchild whose
parent died still is its child: an engine core that outlives its API server cannot escape.
"""

import ctypes
import os
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"prctl({option}): {os.strerror(error)}")


def become_subreaper() -> None:
    """Let orphaned descendants of this process become its children."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)


def die_with_parent() -> None:
    """Have the kernel kill this process when its parent ends (the parent thread, to be exact: prctl(2))."""
    _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def children_of(pid: int) -> list[int]:
    """Process ids of the direct children of `pid`, zombies included."""
    found: list[int] = []
    try:
        # An engine has hundreds of threads, for which pathlib's glob is too slow.
        tasks = os.scandir(f"/proc/{pid}/task")
    except OSError:
        return found
    with tasks:
        for task in tasks:
            try:
                found += map(int, Path(task.path, "children").read_bytes().split())
            except OSError:
                continue
    return found


def descendants_of(pid: int) -> list[int]:
    """Process ids of all descendants of `pid`, parents before children."""
    found: list[int] = []
    queue = children_of(pid)
    while queue:
        child = queue.pop()
        found.append(child)
        queue += children_of(child)
    return found


def signal_all(pids: list[int], number: int) -> None:
    """Send a signal to each process that still exists."""
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def reap() -> None:
    """Collect every child that has ended."""
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if pid == 0:
            return


def end_descendants(grace_s: float) -> None:
    """Ask all descendants to end, wait up to `grace_s` seconds, then kill what is left until nothing is."""
    signal_all(descendants_of(os.getpid()), signal.SIGTERM)
    deadline = time.monotonic() + grace_s
    while descendants_of(os.getpid()):
        reap()
        if time.monotonic() > deadline:
            signal_all(descendants_of(os.getpid()), signal.SIGKILL)
        time.sleep(0.02)


def _wait(child: subprocess.Popen[bytes], lifeline_fd: int, stop_fd: int) -> None:
    """Return when the child has ended, the lifeline has closed or a signal asked for the end."""
    child_fd = os.pidfd_open(child.pid)
    select.select([child_fd, lifeline_fd, stop_fd], [], [])
    os.close(child_fd)


def main(argv: list[str]) -> int:
    """Guard one command; returns its exit status (128 + signal when a signal ended it)."""
    lifeline_fd, grace_s, command = int(argv[0]), float(argv[1]), argv[3:]
    become_subreaper()
    stop_read, stop_write = os.pipe()
    os.set_blocking(stop_write, False)
    signal.set_wakeup_fd(stop_write)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    child = subprocess.Popen(command, preexec_fn=die_with_parent)
    try:
        _wait(child, lifeline_fd, stop_read)
    finally:
        status = child.poll()
        end_descendants(grace_s)
        reap()
    if status is None:
        return 128 + signal.SIGTERM
    return status if status >= 0 else 128 - status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
