"""A workflow that runs on a cluster while a test does something to it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import yaml
from tests.workflow.workspace import Workspace

PATIENCE_S = 400.0


class Running:
    """`snakemake` with the profile for SLURM, started in the background."""

    def __init__(
        self, workspace: Workspace, study: dict[str, Any], *arguments: str, **variables: str
    ) -> None:
        self.workspace = workspace
        file = workspace.folder / "study.yaml"
        file.write_text(yaml.safe_dump(study))
        self._log = workspace.folder / "snakemake.log"
        root = workspace.root
        command = [
            *(sys.executable, "-m", "snakemake", "--snakefile", str(root / "Snakefile")),
            *("--directory", str(workspace.folder), "--configfile", str(file)),
            *("--workflow-profile", str(root / "profiles/slurm"), *cluster_arguments()),
            *("--slurm-init-seconds-before-status-checks", "2", *arguments),
        ]
        with self._log.open("w") as sink:
            self._process = subprocess.Popen(
                command, stdout=sink, stderr=subprocess.STDOUT, env={**os.environ, **variables}
            )

    def output(self) -> str:
        """What it printed so far."""
        return self._log.read_text()

    def wait(self) -> int:
        """Its exit status."""
        return self._process.wait(PATIENCE_S)

    def kill(self) -> None:
        """Kill -9: it can clean up nothing."""
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def until(self, what: Callable[[], Any], patience_s: float = PATIENCE_S) -> Any:
        """Wait until `what` returns something true, and return that."""
        deadline = time.monotonic() + patience_s
        while time.monotonic() < deadline:
            found = what()
            if found:
                return found
            assert self._process.poll() is None, self.output()[-3000:]
            time.sleep(0.2)
        raise AssertionError(f"waited in vain; the workflow said:\n{self.output()[-3000:]}")

    def finished_cells(self) -> list[Path]:
        """Records of finished cells."""
        return sorted(self.workspace.folder.glob("results/cells/**/cell.json"))

    def is_starting_an_engine(self) -> bool:
        """Whether the session has begun, and its engine is not ready yet."""
        logs = self.workspace.folder.glob("logs/sessions/**/session.log")
        return any(_is_starting(log.read_text()) for log in logs)

    def more_cells_than(self, count: int) -> Callable[[], bool]:
        """Asks whether more than `count` cells are finished."""
        return lambda: len(self.finished_cells()) > count


def _is_starting(log: str) -> bool:
    return "starting the engine" in log and "the engine is ready" not in log


def cluster_arguments() -> list[str]:
    """What `burstlab slurm` prints."""
    told = subprocess.run(
        [sys.executable, "-m", "burstlab.cli", "slurm"], capture_output=True, text=True, check=True
    )
    return told.stdout.split()


def jobs(state: str = "running") -> list[str]:
    """Ids of jobs in the queue that are in `state`."""
    told = subprocess.run(
        ["squeue", "--noheader", "--format=%i", f"--states={state}"],
        capture_output=True,
        text=True,
        check=True,
    )
    return told.stdout.split()
