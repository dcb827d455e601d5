"""Kill -9 the workflow in the middle of a cell, many times, and check what it leaves.

    python benchmarks/kill_workflow.py [--kills 10] [--seed 0]

After each kill, at a random moment of measuring: no process of the run may be left after 15 s, no target half-written, no
finished cell touched. The run after the last kill must complete. Exits with an error at the first breach.
Needs the environments that `make study` builds.
"""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
MARK = "BURSTLAB_KILL_BENCHMARK"
ALLOWED_S = 15.0
SEEDS = 12


def study() -> dict[str, object]:
    """Cells of a few seconds each, on one engine."""
    default = yaml.safe_load((ROOT / "config.yaml").read_text())
    workload = {"dataset": "random", "input_tokens": 64, "output_tokens": 32, "requests": 40}
    block = {
        "platforms": list(default["platforms"]),
        "models": ["tiny-gqa"],
        "engines": list(default["engines"]),
        "workloads": ["short"],
        "rates": [8.0],
        "burstiness": [1.0, 0.1],
        "seeds": list(range(SEEDS)),
    }
    return {
        **{key: default[key] for key in ("platforms", "environments", "engines")},
        "name": "killed",
        "models": {"tiny-gqa": default["models"]["tiny-gqa"]},
        "workloads": {"short": workload},
        "blocks": [block],
    }


def start(folder: Path, mark: str) -> subprocess.Popen[bytes]:
    """The workflow, its output in a file, every descendant marked."""
    log = (folder / "workflow.log").open("ab")
    command = [
        sys.executable,
        "-m",
        "snakemake",
        "--snakefile",
        str(ROOT / "Snakefile"),
        "--directory",
        str(folder),
    ]
    return subprocess.Popen(
        [
            *command,
            "--configfile",
            str(folder / "killed.yaml"),
            "--cores",
            "all",
            "results/tables/cells.parquet",
        ],
        stdout=log,
        stderr=log,
        start_new_session=True,
        env={**os.environ, MARK: mark},
    )


def said(folder: Path) -> str:
    """The end of what the workflow printed."""
    return (folder / "workflow.log").read_text()[-3000:]


def marked(mark: str) -> list[int]:
    """Processes that descend from the run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
        except OSError:
            continue
    return found


def finished(folder: Path) -> dict[str, tuple[int, str]]:
    """Time stamp and digest of every file of every cell that has a record."""
    files = {}
    for record in folder.glob("results/cells/**/cell.json"):
        for path in record.parent.iterdir():
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            files[str(path.relative_to(folder))] = (path.stat().st_mtime_ns, digest)
    return files


def check_no_partial_target(folder: Path) -> None:
    """Every record parses, and every file that it names is there in full."""
    for path in folder.glob("results/cells/**/cell.json"):
        record = json.loads(path.read_text())
        for name, file in record["files"].items():
            data = (path.parent / name).read_bytes()
            assert hashlib.sha256(data).hexdigest() == file["sha256"], f"{path.parent / name} is damaged"


def wait_for_measuring(folder: Path, workflow: subprocess.Popen[bytes], cells_before: int) -> bool:
    """Until this run has finished a cell; False when the workflow ended first."""
    while workflow.poll() is None:
        if len(list(folder.glob("results/cells/**/cell.json"))) > cells_before:
            return True
        time.sleep(0.1)
    return False


def seconds_until_gone(mark: str) -> float:
    """Seconds until no marked process is left."""
    started = time.monotonic()
    while left := marked(mark):
        waited = time.monotonic() - started
        assert waited <= ALLOWED_S, f"processes {left} are left after {waited:.0f} s"
        time.sleep(0.05)
    return time.monotonic() - started


def main() -> None:
    """Kill, check, resume; then let it complete."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--kills", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    moments = random.Random(arguments.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for link in (".envs", "envs", "resources"):
            (folder / link).symlink_to(ROOT / link)
        (folder / "killed.yaml").write_text(yaml.safe_dump(study()))
        kept: dict[str, tuple[int, str]] = {}
        for kill in range(arguments.kills):
            mark = uuid.uuid4().hex
            workflow = start(folder, mark)
            before = len(list(folder.glob("results/cells/**/cell.json")))
            assert wait_for_measuring(folder, workflow, before), said(folder)
            time.sleep(moments.uniform(0, 6))
            workflow.kill()
            workflow.wait()
            gone_s = seconds_until_gone(mark)
            check_no_partial_target(folder)
            now = finished(folder)
            assert all(now.get(path) == file for path, file in kept.items()), "a finished cell was touched"
            print(
                f"kill {kill + 1}: nothing left after {gone_s:.1f} s, {len(now)} files of finished cells intact",
                flush=True,
            )
            kept = now
        workflow = start(folder, uuid.uuid4().hex)
        assert workflow.wait() == 0, said(folder)
        now = finished(folder)
        assert all(now.get(path) == file for path, file in kept.items()), "a finished cell was touched"
        assert len(list(folder.glob("results/cells/**/cell.json"))) == 2 * SEEDS
        print(f"the next run completed all {2 * SEEDS} cells and touched no finished one")


if __name__ == "__main__":
    main()
