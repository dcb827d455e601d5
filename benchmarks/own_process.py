"""Running a function in a process of its own, and what that took."""

from __future__ import annotations

import cProfile
import io
import multiprocessing
import pstats
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil

FUNCTIONS_SHOWN = 14


@dataclass(frozen=True)
class Taken:
    """From the start of the process to its end. `profile` is empty where none was asked for."""

    wall_s: float
    cpu_s: float
    peak_mib: float
    profile: str


def measured(function: Callable[..., None], *arguments: Any, profile: bool = False) -> Taken:
    """Run `function` in a new Python; raises SystemExit if it fails."""
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe(duplex=False)
    started = time.perf_counter()
    process = context.Process(target=_run, args=(there, function, arguments, profile))
    process.start()
    there.close()
    try:
        cpu_s, peak_mib, text = here.recv()
    except EOFError:
        raise SystemExit(f"{function.__name__} failed") from None
    process.join()
    return Taken(time.perf_counter() - started, cpu_s, peak_mib, text)


def _run(
    answer: Connection, function: Callable[..., None], arguments: tuple[Any, ...], profile: bool
) -> None:
    profiler = cProfile.Profile()
    if profile:
        profiler.runcall(function, *arguments)
    else:
        function(*arguments)
    times = psutil.Process().cpu_times()
    answer.send((times.user + times.system, _peak_mib(), _shown(profiler) if profile else ""))


def _peak_mib() -> float:
    # Unlike ru_maxrss, this is not what the parent held before it started this process.
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) / 1024


def _shown(profiler: cProfile.Profile) -> str:
    text = io.StringIO()
    stats = pstats.Stats(profiler, stream=text).strip_dirs()
    stats.sort_stats("cumulative").print_stats(3 * FUNCTIONS_SHOWN)
    stats.sort_stats("tottime").print_stats(FUNCTIONS_SHOWN)
    return "\n".join(line for line in text.getvalue().splitlines() if line.strip())
