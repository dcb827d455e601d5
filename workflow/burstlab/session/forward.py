"""Letting a workflow that is told to end take its running jobs along.

Told to end, Snakemake waits for what runs, which for a session may be an hour. Ctrl-C in a terminal reaches the jobs as well,
but a signal to the workflow's process alone (a cluster's time limit, `kill`) does not.
"""

import contextlib
import signal
import threading
from types import FrameType

import psutil

from burstlab.engine.leftovers import OWNER


def end_jobs_on_signals() -> None:
    """From now on, SIGTERM and SIGINT to this process also end its jobs, and then do what they did before."""
    before_term, before_int = signal.getsignal(signal.SIGTERM), signal.getsignal(signal.SIGINT)

    def terminate(number: int, frame: FrameType | None) -> None:
        end_jobs()
        if callable(before_term):
            # In a thread of its own, since Snakemake's handler takes a lock that the interrupted code may hold.
            threading.Thread(target=before_term, args=(number, frame), daemon=True).start()

    def interrupt(number: int, frame: FrameType | None) -> None:
        end_jobs()
        if callable(before_int):
            before_int(number, frame)

    signal.signal(signal.SIGTERM, terminate)
    signal.signal(signal.SIGINT, interrupt)


def end_jobs() -> None:
    """Send SIGTERM to all descendants but those that a guardian watches: these end with their session."""
    for process in psutil.Process().children(recursive=True):
        with contextlib.suppress(psutil.Error):
            if OWNER not in process.environ():
                process.terminate()
