"""Watching machine and engine while a benchmark runs: what the validity gates need and nobody can look up later."""

import os
from pathlib import Path
from typing import Self

from burstlab.engine.counters import counted_between, read_counters
from burstlab.engine.guardian import descendants_of
from burstlab.records.observed import Observed
from burstlab.session.cpu_time import passed_between, read_cpu
from burstlab.session.engine_run import EngineRun
from burstlab.session.gpu_state import GpuWatch

_GPUS = "CUDA_VISIBLE_DEVICES"


class Watch:
    """Reads counters and clocks before and after the block; `observed` tells what passed in it."""

    def __init__(self, run: EngineRun, scratch: Path) -> None:
        self._server = run.server
        gpus = [name for name in run.settings.get(_GPUS, "").split(",") if name]
        self._gpus = GpuWatch(gpus, dict(os.environ), scratch / "gpu.log")

    def __enter__(self) -> Self:
        self._gpus.__enter__()
        self._counters = read_counters(self._server.metrics())
        self._cpu = read_cpu()  # last, and first at the end, so that reading is not part of what is read
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        cpu = read_cpu()
        self._gpus.__exit__()
        if kind is None:
            self._passed = passed_between(self._cpu, cpu)

    def observed(self) -> Observed:
        """What was seen; ask it when the engine is idle again, so that its counters have settled."""
        return Observed(
            cpu=self._passed,
            engine=counted_between(self._counters, read_counters(self._server.metrics())),
            gpus=self._gpus.states(),
            other_gpu_processes=self._gpus.other_processes(descendants_of(os.getpid())),
        )
