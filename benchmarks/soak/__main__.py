"""A soak: faults at random moments of real measuring, until so many were survived.

    python benchmarks/soak [--faults 100] [--seed 0] [--only kill-workflow ...]

After every fault: no process of the run is left 15 s later, no finished cell was touched, no record is half-written. In the end
the study completes, and every number in the tables is that of its cell. It stops at the first breach, with a message.
Needs the environments and models that `make study` builds, and root for the full disk (a tmpfs) and a C compiler for
the clock; without them those faults are left out, and it says so. Some 50 s a fault.
"""

import argparse
import contextlib
import os
import random
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import between_runs
import while_running
from numbers_in_tables import check_tables
from wall_clock import WallClock, wall_clock
from workspace import ALLOWED_S, Run, Workspace

LONGEST_BEFORE_S = 60.0
LONGEST_MEASURING_S = 20.0
"""Half of the faults strike so long at most after the start, whatever happens then, half after the engine is ready: a machine
that is slow to start one would never be struck while it measures."""
READY_S = 300.0
DISK_MIB = 400


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[bool]:
    """Mount a small file system on `folder`; yields whether that was possible."""
    done = (
        os.geteuid() == 0
        and not subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={DISK_MIB}m", "tmpfs", str(folder)], check=False
        ).returncode
    )
    try:
        yield done
    finally:
        if done:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


def strike(workspace: Workspace, name: str, chance: random.Random, clock: WallClock | None) -> str:
    """Start the workflow, strike at a random moment, and end it; returns what happened."""
    workspace.forget_sessions()
    workspace.leave_work()
    if clock is not None:
        clock.step(0)
    run = workspace.start(clock.environment if clock is not None and name == "clock-step" else {})
    started = time.monotonic()
    if name != "port-taken":
        wait_for_moment(workspace, run, chance)
    before_s = time.monotonic() - started
    measuring = "while it measured" if workspace.is_measuring() else "before it measured"
    fault = while_running.FAULTS[name]
    did = fault(while_running.Scene(workspace, run, chance, clock))
    with contextlib.suppress(subprocess.TimeoutExpired):
        run.process.wait(chance.uniform(5, 30))
    if run.process.poll() is None:
        run.process.terminate()
        run.process.wait(ALLOWED_S)
    gone_s = run.seconds_until_gone()
    said = run.said()
    if name == "full-disk":  # Snakemake, which cannot write its own notes then either, shows a traceback
        # A data set that was cut before may end the run first.
        causes = ("No space left on device", "the next run of the workflow prepares it anew")
        assert run.process.returncode == 0 or any(cause in said for cause in causes), said[:4000]
    else:
        assert "Traceback" not in said, f"{did}: a traceback\n{said[said.index('Traceback') :][:4000]}"
    run.log.unlink()
    return f"after {before_s:.0f} s, {measuring}: {did}; nothing left after {gone_s:.1f} s"


def wait_for_moment(workspace: Workspace, run: Run, chance: random.Random) -> None:
    """Let the run go on for a random time, counted from its start or from when its engine is ready."""
    longest_s = LONGEST_BEFORE_S
    if chance.random() < 0.5:
        longest_s = LONGEST_MEASURING_S
        deadline = time.monotonic() + READY_S
        while not workspace.is_measuring() and run.process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.1)
    with contextlib.suppress(subprocess.TimeoutExpired):
        run.process.wait(chance.uniform(0, longest_s))


def soak(
    workspace: Workspace, names: list[str], faults: int, chance: random.Random, clock: WallClock | None
) -> Counter[str]:
    """Strike `faults` times; returns how often with what."""
    counts: Counter[str] = Counter()
    damaged: set[str] = set()
    while counts.total() < faults:
        name = chance.choice(names)
        if name in between_runs.FAULTS:
            did, folder = between_runs.FAULTS[name](workspace, chance)
            damaged |= {folder} if folder else set()
            if folder is None and did.startswith("had no"):
                continue
        else:
            did = strike(workspace, name, chance, clock)
            cells = workspace.check_finished(damaged)
            did = f"{did}; {cells} cells"
        counts[name] += 1
        print(f"{time.strftime('%H:%M:%S')} fault {counts.total()}: {did}", flush=True)
    return counts


def main() -> None:
    """Soak, complete the study, and check its numbers."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    every = [*while_running.FAULTS, *between_runs.FAULTS]
    parser.add_argument("--faults", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", choices=every, default=every)
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as logs,
        tempfile.TemporaryDirectory() as name,
        small_disk(Path(name)) as disk,
    ):
        clock = wall_clock(Path(logs))
        possible = {"full-disk": disk, "clock-step": clock is not None}
        left_out = {fault for fault, can in possible.items() if not can}
        if left_out & set(arguments.only):
            print(f"left out here: {', '.join(sorted(left_out & set(arguments.only)))}")
        names = [fault for fault in arguments.only if fault not in left_out]
        leases = Path(name) / "leases"
        folder = Path(name) / "study"
        folder.mkdir()
        workspace = Workspace(folder, 4, leases, Path(logs))
        counts = soak(workspace, names, arguments.faults, random.Random(arguments.seed), clock)
        print(", ".join(f"{fault} {count}" for fault, count in sorted(counts.items())))
        last = workspace.start()
        assert last.process.wait() == 0, last.said()[-4000:]
        check_tables(folder, workspace.cells)
        print(f"then the study completed: {workspace.cells} cells, every number in the tables is its cell's")


if __name__ == "__main__":
    main()
