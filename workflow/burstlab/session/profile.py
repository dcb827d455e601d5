"""From the trace that a profiled engine wrote to the tables of a profiled run."""

from __future__ import annotations

import re
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.profiles.read import read_profile
from burstlab.profiles.store import write_iterations, write_launches
from burstlab.records.cell_record import KERNELS, PROFILED_ITERATIONS

# vLLM names a trace after the process that wrote it; that of the worker with the first GPU, or the only one, has the kernels:
# `rank0.….pt.trace.json.gz`, for a mixture of experts `dp0_pp0_tp0_dcp0_ep0_rank0.…`.
_WORKER = re.compile(r"(?:.*_)?rank0\.\d+\.pt\.trace\.json(?:\.gz)?")


def forget_traces(traces: Path) -> None:
    """Remove what earlier runs left, so that the next trace is this run's."""
    for path in traces.glob("*"):
        path.unlink()


def keep_profile(traces: Path, folder: Path) -> None:
    """Write the tables of launches and of iterations that the trace in `traces` holds to `folder`.

    The trace itself, many times as large, stays where it is until the next run. Raises BurstlabError when there is none.
    """
    found = sorted(path for path in traces.glob("*") if _WORKER.fullmatch(path.name))
    if not found:
        names = ", ".join(sorted(path.name for path in traces.glob("*"))) or "nothing"
        raise BurstlabError(f"{traces}: a trace of the worker rank0 was expected; there is {names}")
    profile = read_profile(found[0])  # of data-parallel replicas the first, which stands for the others
    write_launches(folder / KERNELS, profile.launches)
    write_iterations(folder / PROFILED_ITERATIONS, profile.iterations)
