"""A command that is waited for, and that leaves no process behind however it or its owner ends."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from burstlab.engine.guarded import Guarded
from burstlab.errors import BurstlabError

_POLL_S = 0.02


def run_guarded(
    command: Sequence[str], *, environment: Mapping[str, str], log: Path, timeout_s: float
) -> None:
    """Run `command`, whose output goes to the end of `log`.

    Raises BurstlabError when it fails, or does not end within `timeout_s` seconds.
    """
    what = " ".join(command[:2])
    before = log.stat().st_size if log.exists() else 0
    deadline = time.monotonic() + timeout_s
    with Guarded(command, environment=environment, log=log) as process:
        while (status := process.exit_status()) is None:
            if time.monotonic() > deadline:
                raise BurstlabError(f"{what} did not end within {timeout_s:g} s; log: {log}")
            time.sleep(_POLL_S)
    if status != 0:
        raise BurstlabError(f"{what} failed (exit status {status}): {_last_line(log, before)}; log: {log}")


def _last_line(log: Path, start: int) -> str:
    with log.open("rb") as file:
        file.seek(start)
        lines = file.read().decode(errors="replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")
