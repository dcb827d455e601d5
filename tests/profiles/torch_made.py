"""Small Chrome traces, laid out as torch's profiler does."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

PID = 100
THREAD = 100
WORKER = 101

Event = dict[str, Any]


class Trace:
    """Events that grow call by call. Times are in µs."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def event(self, cat: str, name: str, start: float, end: float, tid: Any = THREAD, **args: Any) -> None:
        self.events.append(
            {
                "ph": "X",
                "cat": cat,
                "name": name,
                "pid": PID,
                "tid": tid,
                "ts": start,
                "dur": round(end - start, 3),
                "args": {"External id": len(self.events), **args},
            }
        )

    def range(self, start: float, end: float, name: str, tid: int = THREAD) -> None:
        self.event("user_annotation", name, start, end, tid)

    def operator(self, start: float, end: float, name: str, tid: int = THREAD) -> None:
        self.event("cpu_op", name, start, end, tid)

    def launch(
        self,
        start: float,
        end: float,
        correlation: int,
        called: float,
        name: str = "nvjet_gemm",
        cat: str = "kernel",
    ) -> None:
        """A kernel and the call that launched it."""
        self.event("cuda_runtime", "cudaLaunchKernel", called, called + 1, cbid=211, correlation=correlation)
        size = {"grid": [1, 20, 8], "block": [128, 1, 1]} if cat == "kernel" else {"bytes": 64}
        self.event(cat, name, start, end, 7, device=0, stream=7, correlation=correlation, **size)

    def text(self) -> str:
        """The file as Kineto writes it."""
        events = ",\n".join(_kineto(event) for event in [*self.events, *_ENDING])
        head = ' {\n    "schemaVersion": 1,\n    "displayTimeUnit": "ms",\n    "traceEvents": [\n    \n'
        return f'{head}{events}\n  ],"traceName": "made.json" }}'

    def write(self, path: Path) -> Path:
        if path.suffix == ".gz":
            path.write_bytes(gzip.compress(self.text().encode()))
        else:
            path.write_text(self.text())
        return path


# Kineto ends with events whose process is no number.
_ENDING: list[Event] = [
    {
        "ph": "X",
        "cat": "Trace",
        "name": "PyTorch Profiler (0)",
        "pid": "Spans",
        "tid": "PyTorch Profiler",
        "ts": 0.0,
        "dur": 9.5,
        "args": {"Op count": 0},
    },
    {"ph": "i", "s": "g", "name": "Record Window End", "pid": "", "tid": "", "ts": 9.5},
]


def _kineto(event: Event) -> str:
    return "\n".join(f"  {line}" for line in json.dumps(event, indent=2).split("\n"))


def two_iterations_on_a_cpu() -> Trace:
    """A decode-only iteration and a mixed one, with operators whose own times are known.

    Iteration 0, 0–100: linear 10–60 calls mm 20–50, attention 60–90; after it, sampled 110–115. Iteration 1, 200–400:
    attention 210–390.
    """
    trace = Trace()
    trace.range(0, 100, "execute_context_0(0)_generation_4(4)")
    trace.operator(10, 60, "aten::linear")
    trace.operator(20, 50, "aten::mm")
    trace.operator(60, 90, "_C::cpu_attention_with_kv_cache")
    trace.operator(110, 115, "_C::greedy_argmax")
    trace.range(200, 400, "execute_context_1(50)_generation_4(4)")
    trace.operator(210, 390, "_C::cpu_attention_with_kv_cache")
    trace.event("python_function", "vllm/worker.py(1): run", 0, 500)
    return trace


def two_iterations_on_a_gpu() -> Trace:
    """As `two_iterations_on_a_cpu`, with kernels behind the ranges that launched them."""
    trace = Trace()
    trace.range(0, 100, "execute_context_0(0)_generation_4(4)")
    trace.operator(10, 60, "aten::linear")
    trace.launch(150, 170, 1, called=20)
    trace.launch(170, 175, 2, called=110, name="_gumbel_sample_kernel")
    trace.range(200, 400, "execute_context_1(50)_generation_4(4)")
    trace.launch(250, 350, 3, called=210, name="kernel_unified_attention")
    trace.launch(350, 352, 4, called=215, name="Memcpy DtoH (Device -> Pinned)", cat="gpu_memcpy")
    return trace
