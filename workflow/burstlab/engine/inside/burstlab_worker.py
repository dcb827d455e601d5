"""What vLLM loads into the worker of a profiled engine on a CPU: a recording then ends without vLLM's table of operators.

When its torch profiler stops, vLLM sums up all that was recorded in Python, to print a table. That takes 54 µs an operator, which
is six times as long as writing the trace, and no option of vLLM 0.32 leaves it out on a CPU. Nothing that runs while kernels are
recorded is changed.

Run by the engine's Python, from a folder on its PYTHONPATH: vLLM and the standard library only.
"""

from __future__ import annotations

import contextlib
from typing import Any


class BurstlabWorker:
    """Adds nothing to the worker; vLLM asks for a class."""


def _no_table(*_: Any, **__: Any) -> str:
    return ""


with contextlib.suppress(ImportError):  # another version of vLLM has it elsewhere, and makes its table
    from vllm.profiler.wrapper import TorchProfilerWrapper

    TorchProfilerWrapper._build_profiler_table = _no_table
