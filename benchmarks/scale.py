"""A large study from its cells to its report: wall time, peak memory, files, and what takes longest.

    PYTHONPATH=workflow python benchmarks/scale.py [--cells 10000] [--profile] [--snakemake]

Makes a study of 50 cells a group, in a temporary folder, with generated cells of 100 requests and 500 iterations, and runs
what each job of the workflow runs, each in a process of its own: tables, verdicts, every kind of figure, the report. A job's
time includes the start of its Python; its memory is the most that the process ever held. Last, a dry run of Snakemake when
all of it is there. `--profile` lists the functions that each job spends its time in (and slows it down). `--snakemake` runs
the whole with `snakemake --cores all` in place of one job after the other, and adds up the memory of all its processes. The
aim: 10,000 cells, with tables in less than 60 s, in memory that does not grow with their requests and iterations.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path

import yaml

from burstlab.figures.registry import CELL_FIGURES
from burstlab.study.expand import cells
from burstlab.study.load import read_study
from burstlab.study.specification import specifications
from dry_run import TABLES, WHOLE, dry_run_s
from made_up_cells import build
from made_up_study import study
from own_process import measured
from scale_jobs import draw_figures, make_tables, make_verdicts, write_page
from whole_run import run_whole

ROW = "{:<10} {:>8} {:>8} {:>9} {:>7} {:>9}"


def main() -> None:
    """Make the cells, run all, and clear up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cells", type=int, default=10_000, help="a multiple of 500")
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--iterations", type=int, default=500)
    parser.add_argument("--profile", action="store_true", help="list where each job spends its time")
    parser.add_argument("--snakemake", action="store_true", help="run it all with Snakemake")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="burstlab-scale-"))
    try:
        config = folder / "study.yaml"
        config.write_text(yaml.safe_dump(study(options.cells)))
        started = time.perf_counter()
        measured(make_cells, folder, config, options.requests, options.iterations)
        print(f"{options.cells} cells made in {time.perf_counter() - started:.0f} s", flush=True)
        time.sleep(3)  # or their time stamps are too fresh to be trusted
        dry_run_s(folder, config, TABLES)
        if options.snakemake:
            wall_s, peak_mib = run_whole(folder, config)
            print(f"snakemake --cores all: {wall_s:.0f} s, at most {peak_mib:.0f} MiB in all its processes")
        else:
            run_jobs(folder, config, options.profile)
        print(f"dry run of Snakemake when all is there: {dry_run_s(folder, config, WHOLE):.1f} s")
    finally:
        shutil.rmtree(folder)


def make_cells(folder: Path, config: Path, requests: int, iterations: int) -> None:
    """Folders of all cells of the study."""
    asked = read_study(config)
    wanted = cells(asked)
    build(folder / "results", wanted, requests, iterations, specifications(wanted, asked))


def run_jobs(folder: Path, config: Path, profile: bool) -> None:
    """Every job once, with a line for each."""
    results = folder / "results"
    print(ROW.format("job", "wall s", "CPU s", "peak MiB", "files", "MiB"))
    jobs = [
        ("tables", make_tables, (), "tables"),
        ("verdicts", make_verdicts, (), "tables"),
        *((kind.name, draw_figures, (kind.name,), f"figures/{kind.name}") for kind in CELL_FIGURES),
        ("report", write_page, (), "report.html"),
    ]
    for name, job, arguments, made in jobs:
        before = sizes(results / made)
        found = measured(job, folder, config, *arguments, profile=profile)
        new = {path: size for path, size in sizes(results / made).items() if path not in before}
        mib = sum(new.values()) / 2**20
        numbers = (
            f"{found.wall_s:.1f}",
            f"{found.cpu_s:.1f}",
            f"{found.peak_mib:.0f}",
            len(new),
            f"{mib:.1f}",
        )
        print(ROW.format(name, *numbers), flush=True)
        if profile:
            print(found.profile, flush=True)


def sizes(made: Path) -> dict[Path, int]:
    """Bytes of the file, or of each file in the folder."""
    files = [made] if made.is_file() else [Path(entry) for entry in os.scandir(made)] if made.exists() else []
    return {path: path.stat().st_size for path in files}


if __name__ == "__main__":
    main()
