"""How long the study tables of many cells take, and how much memory.

    PYTHONPATH=workflow python benchmarks/study_tables.py

The aim: 10,000 cells of 100 requests and 500 iterations in less than 60 s on two cores, in memory that does
not grow with the number of cells. Making the cells takes longer than that, and 3 GB of disk for the time of
the run.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import tempfile
import time
from pathlib import Path

from burstlab.tables.study_tables import build_tables
from made_up_cells import build, cells


def main() -> None:
    """Make cells in a temporary folder, time, and clear up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cells", type=int, default=10_000)
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=500)
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="burstlab-tables-"))
    try:
        wanted = cells(options.cells)
        build(folder / "results", wanted, options.requests, options.iterations)
        records = [folder / "results" / "cells" / cell.id / "cell.json" for cell in wanted]
        before_mib = _peak_mib()
        started = time.perf_counter()
        build_tables(records, folder / "tables")
        seconds = time.perf_counter() - started
        size_mib = sum(path.stat().st_size for path in (folder / "tables").iterdir()) / 2**20
        print(f"{len(records)} cells: {seconds:.1f} s, {size_mib:.0f} MiB of tables")
        print(f"peak memory: {before_mib:.0f} MiB before, {_peak_mib():.0f} MiB after")
    finally:
        shutil.rmtree(folder)


def _peak_mib() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    main()
