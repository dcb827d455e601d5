"""Loaded into a real vLLM's worker by a test: the ranges that it opens for torch's profiler are opened for nsys, too.

On a CPU vLLM opens none for nsys. On a GPU it does, with the same names, where `--profiler-config` says cuda.
"""

import contextlib
import ctypes
import os
from collections.abc import Iterator
from typing import Any

from vllm.config import ProfilerConfig
from vllm.profiler.wrapper import TorchProfilerWrapper, validate_worker_profiler_config


class NvtxWorker:
    """Adds nothing to the worker; vLLM asks for a class."""


_ranges = ctypes.CDLL(os.environ["RANGES_LIBRARY"])
_for_torch = TorchProfilerWrapper.annotate_context_manager


@contextlib.contextmanager
def _for_both(self: Any, name: str) -> Iterator[None]:
    with _for_torch(self, name):
        _ranges.push(name.encode())
        try:
            yield
        finally:
            _ranges.pop()


TorchProfilerWrapper.annotate_context_manager = _for_both

try:
    validate_worker_profiler_config(ProfilerConfig(profiler="cuda"))
except ValueError as error:
    print(f"nvtx_worker: {error}", flush=True)  # where the test reads it: the engine's log
