"""What records a profiled engine's kernels while a load runs."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from burstlab.engine import guardian
from burstlab.errors import BurstlabError

_INSIDE = Path(guardian.__file__).with_name("inside")
# vLLM names a trace after the process that wrote it; that of the worker with the first GPU, or the only one, has the kernels:
# `rank0.….pt.trace.json.gz`, for a mixture of experts `dp0_pp0_tp0_dcp0_ep0_rank0.…`.
_WORKER = re.compile(r"(?:.*_)?rank0\.\d+\.pt\.trace\.json(?:\.gz)?")


class Recorder(Protocol):
    """One for each start of an engine. `folder` is absolute; what is in it is the recorder's."""

    folder: Path

    @property
    def prefix(self) -> list[str]:
        """What stands before the engine's command."""

    @property
    def arguments(self) -> list[str]:
        """What the engine is told at the end of its command."""

    @property
    def environment(self) -> dict[str, str]:
        """Environment variables of the engine that no record has: they name folders of this machine."""

    def recording(self) -> AbstractContextManager[None]:
        """Records as long as the block runs; what an earlier one recorded is forgotten."""

    def trace(self) -> Path:
        """What was recorded, as `read_profile` reads it. Raises BurstlabError when there is nothing."""


class TorchRecorder:
    """torch's profiler, which vLLM's own addresses start and stop; its client calls them around the load.

    `on_cpu` says that the engine's worker runs on one: see `engine/inside/burstlab_worker.py`.
    """

    def __init__(self, folder: Path, *, on_cpu: bool = False) -> None:
        self.folder = folder
        self._on_cpu = on_cpu

    @property
    def prefix(self) -> list[str]:
        """Nothing: the profiler is a part of the engine."""
        return []

    @property
    def arguments(self) -> list[str]:
        """See `Recorder`."""
        return ["--worker-extension-cls", "burstlab_worker.BurstlabWorker"] if self._on_cpu else []

    @property
    def environment(self) -> dict[str, str]:
        """See `Recorder`."""
        known = os.environ.get("PYTHONPATH")
        return {"PYTHONPATH": os.pathsep.join(filter(None, [known, str(_INSIDE)]))} if self._on_cpu else {}

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """See `Recorder`."""
        forget_traces(self.folder)
        yield

    def trace(self) -> Path:
        """The trace of the worker rank0; of data-parallel replicas the first, which stands for the others."""
        found = sorted(path for path in self.folder.glob("*") if _WORKER.fullmatch(path.name))
        if not found:
            raise BurstlabError(
                f"{self.folder}: a trace of the worker rank0 was expected; there is {names_in(self.folder)}"
            )
        return found[0]


def forget_traces(folder: Path) -> None:
    """Remove what earlier runs left, so that the next trace is this run's."""
    for path in folder.glob("*"):
        path.unlink()


def names_in(folder: Path) -> str:
    """The files in a folder, for a message."""
    return ", ".join(sorted(path.name for path in folder.glob("*"))) or "nothing"
