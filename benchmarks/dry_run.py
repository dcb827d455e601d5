"""How long a dry run takes when everything is measured, and how that grows with the number of cells.

    PYTHONPATH=workflow python benchmarks/dry_run.py [--cells 1000 10000]

Makes a study of 50 cells a session in a temporary folder, with whole, valid cell folders, and times `snakemake --dry-run`
twice: up to the tables that are still to be built, and of the whole study when tables, figures and report are all there.
The aim: 10,000 cells in 200 sessions in less than 6 s.
"""

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path

import yaml

from burstlab.study.expand import cells, sessions
from burstlab.study.load import read_study
from burstlab.study.specification import specifications
from made_up_cells import build
from made_up_study import snakemake, study

TABLES = "results/tables/cells.parquet"
WHOLE = "all"


def finish(folder: Path, config: Path) -> int:
    """Make every file that the study would still make, empty and of one age; returns how many."""
    done = snakemake(folder, config, "--summary", WHOLE)
    rows = [line.split("\t") for line in done.stdout.splitlines() if line.startswith("results/")]
    missing = [folder / row[0] for row in rows if not (folder / row[0]).exists()]
    now = time.time()
    for path in missing:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
        os.utime(path, (now, now))
    return len(missing)


def dry_run_s(folder: Path, config: Path, target: str) -> float:
    """Seconds of one dry run; checks that it wants to measure nothing."""
    started = time.perf_counter()
    done = snakemake(folder, config, "--dry-run", "--quiet", "all", "--", target)
    seconds = time.perf_counter() - started
    if done.returncode != 0 or "session_" in done.stdout + done.stderr:
        raise SystemExit(
            f"the dry run failed or would measure:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
        )
    return seconds


def main() -> None:
    """Build, time, and clear up."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cells", type=int, nargs="+", default=[1000, 10_000])
    times_s = {}
    numbers = parser.parse_args().cells
    for number in numbers:
        folder = Path(tempfile.mkdtemp(prefix="burstlab-dry-run-"))
        try:
            config = folder / "study.yaml"
            config.write_text(yaml.safe_dump(study(number)))
            asked = read_study(config)
            wanted = cells(asked)
            build(folder / "results", wanted, 2, 2, specifications(wanted, asked))
            time.sleep(3)
            first_s = dry_run_s(folder, config, TABLES)
            tables_s = min(dry_run_s(folder, config, TABLES) for _ in range(3))
            files = finish(folder, config)
            times_s[number] = min(dry_run_s(folder, config, WHOLE) for _ in range(3))
            count = len(sessions(wanted, asked))
            print(
                f"{number:>6} cells, {count:>3} sessions: up to the tables first {first_s:.2f} s, then {tables_s:.2f} s; "
                f"the whole study, with its {files} files made from cells, {times_s[number]:.2f} s",
                flush=True,
            )
        finally:
            shutil.rmtree(folder)
    low, high = min(numbers), max(numbers)
    if low < high:
        per_thousand_s = (times_s[high] - times_s[low]) / (high - low) * 1000
        print(f"growth: {per_thousand_s:.3f} s for each further 1,000 cells")


if __name__ == "__main__":
    main()
