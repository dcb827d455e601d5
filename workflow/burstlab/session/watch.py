"""Ending a session when its workflow ends, however that ends."""

import os
import select
import signal
import threading
import time
from types import FrameType

from burstlab.errors import BurstlabError


def end_with(workflow_pid: int) -> None:
    """Send this process SIGTERM as soon as the process `workflow_pid` is gone.

    A parent-death signal would not do: between Snakemake and this process stands a shell, which outlives a killed Snakemake.
    """
    try:
        descriptor = os.pidfd_open(workflow_pid)
    except ProcessLookupError:
        raise BurstlabError(f"the workflow (process {workflow_pid}) has already ended") from None
    threading.Thread(target=_watch, args=(descriptor,), daemon=True, name="workflow-watch").start()


def _watch(descriptor: int) -> None:
    select.select([descriptor], [], [])
    os.kill(os.getpid(), signal.SIGTERM)
    # A main thread stuck in a system call that never returns must not keep the engine alive: its guardian ends it with us.
    time.sleep(12)
    os._exit(1)


def _leave(number: int, _frame: FrameType | None) -> None:
    # Further signals must not interrupt the clean-up that this one starts.
    for other in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(other, signal.SIG_IGN)
    raise SystemExit(128 + number)


def leave_on_signals() -> None:
    """Turn SIGTERM, SIGINT and SIGHUP into an orderly exit, so that `with` blocks end what they started."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, _leave)
