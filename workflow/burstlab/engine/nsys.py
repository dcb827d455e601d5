"""Command lines of NVIDIA Nsight Systems, which records an engine between `start` and `stop` of a session of its own.

The engine is started by `nsys launch`, so nothing is recorded while it loads and warms up. Options are those of the user guide,
"CLI Command Switches", of versions from 2022 on: sampling and context switches are said to `start`, all else to `launch`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

PROGRAM = "nsys"
LEAST_VERSION = (2022, 1)
"""The first that traces a CUDA graph's kernels one by one (`--cuda-graph-trace=node`)."""
_VERSION = re.compile(r"version (\d+)\.(\d+)")


def launch(session: str) -> list[str]:
    """What stands before the command of an engine that the session is to record."""
    return [
        PROGRAM,
        "launch",
        f"--session-new={session}",
        "--trace=cuda,nvtx,osrt",
        "--cuda-graph-trace=node",
        "--trace-fork-before-exec=true",
    ]


def start(session: str, output: Path, further: Sequence[str] = ()) -> list[str]:
    """Begin to record, without CPU samples, into `output`, to whose name nsys adds its suffix."""
    return [
        PROGRAM,
        "start",
        f"--session={session}",
        f"--output={output}",
        "--force-overwrite=true",
        "--sample=none",
        "--cpuctxsw=none",
        *further,
    ]


def stop(session: str) -> list[str]:
    """End the recording and write the report."""
    return [PROGRAM, "stop", f"--session={session}"]


def export(report: Path, database: Path) -> list[str]:
    """Make an SQLite database of a report."""
    return [
        PROGRAM,
        "export",
        "--type=sqlite",
        f"--output={database}",
        "--force-overwrite=true",
        "--quiet=true",
        str(report),
    ]


def version_of(said: str) -> tuple[int, int] | None:
    """Year and number in what `nsys --version` says; None where there is none."""
    found = _VERSION.search(said)
    return (int(found[1]), int(found[2])) if found else None
