"""How long it takes to find out which cells are valid, at 1,000 and at 10,000 cells.

    PYTHONPATH=workflow python benchmarks/cell_status.py

`status` prints the time with an index (what every start of the workflow pays), `first` the time without
(every file is read and hashed, once after a clone). The aim: 10,000 cells with an index in less than 0.5 s.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from pathlib import Path
from typing import Any

from burstlab.records.index import FRESH_NS
from burstlab.records.status import status
from burstlab.study.cells import Cell
from made_up_cells import build, cells, specifications


def main() -> None:
    """Make cells in a temporary folder, time, and clear up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cells", type=int, nargs="+", default=[1000, 10_000])
    numbers = parser.parse_args().cells
    folder = Path(tempfile.mkdtemp(prefix="burstlab-status-"))
    try:
        wanted = cells(max(numbers))
        build(folder / "results", wanted, requests=2, iterations=5)
        time.sleep(FRESH_NS / 1e9 + 0.5)
        times_s = {}
        for number in numbers:
            some = wanted[:number]
            asked = specifications(some)
            index = folder / f"index-{number}.json"
            first_s = _seconds(some, asked, folder, index)
            times_s[number] = min(_seconds(some, asked, folder, index) for _ in range(5))
            print(f"{number:>6} cells: first {first_s:.2f} s, with index {times_s[number]:.3f} s")
        low, high = min(numbers), max(numbers)
        if low < high:
            print(f"growth: {times_s[high] / times_s[low]:.1f} times for {high / low:.1f} times the cells")
    finally:
        shutil.rmtree(folder)


def _seconds(some: list[Cell], asked: dict[Cell, dict[str, Any]], folder: Path, index: Path) -> float:
    started = time.perf_counter()
    verdicts = status(some, asked, folder / "results", index)
    seconds = time.perf_counter() - started
    if {verdict.state for verdict in verdicts.values()} != {"valid"}:
        raise SystemExit("not all cells are valid: the benchmark is broken")
    return seconds


if __name__ == "__main__":
    main()
