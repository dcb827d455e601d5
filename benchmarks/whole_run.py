"""A run of the whole study by Snakemake, and the memory of all its processes together."""

from __future__ import annotations

import contextlib
import threading
import time
from pathlib import Path

import psutil

from made_up_study import snakemake

EVERY_S = 0.2


def run_whole(folder: Path, config: Path) -> tuple[float, float]:
    """Seconds, and the highest sum of resident memory in MiB; raises SystemExit if the run fails."""
    done = threading.Event()
    peaks = [0.0]
    watch = threading.Thread(target=_watch, args=(done, peaks))
    watch.start()
    started = time.perf_counter()
    try:
        found = snakemake(folder, config, "--quiet", "all")
    finally:
        done.set()
        watch.join()
    if found.returncode != 0:
        raise SystemExit(f"snakemake failed:\n{found.stdout[-2000:]}\n{found.stderr[-2000:]}")
    return time.perf_counter() - started, peaks[0]


def _watch(done: threading.Event, peaks: list[float]) -> None:
    while not done.wait(EVERY_S):
        total = 0
        for process in psutil.Process().children(recursive=True):
            with contextlib.suppress(psutil.Error):
                total += process.memory_info().rss
        peaks[0] = max(peaks[0], total / 2**20)
