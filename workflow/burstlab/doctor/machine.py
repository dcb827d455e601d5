"""What checks ask the machine: programs, cores, memory, disk, environment variables."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import psutil

_CGROUP_LIMIT = Path("/sys/fs/cgroup/memory.max")
NOT_STARTED = 127
"""Exit status of a program that could not be started, as a shell gives it."""
TIMED_OUT = 124
"""Exit status of a program that was stopped after its time, as timeout(1) gives it."""


@dataclass(frozen=True, slots=True)
class Output:
    """How a program ended, and what it wrote."""

    status: int
    out: str
    error: str = ""

    @property
    def reason(self) -> str:
        """The last line that it wrote, its errors first: what a message quotes."""
        lines = (self.error.strip() or self.out.strip()).splitlines()
        return lines[-1].strip() if lines else f"exit status {self.status}"


@dataclass(frozen=True)
class Machine:
    """This machine. Tests put another in its place."""

    variables: Mapping[str, str] = field(default_factory=lambda: dict(os.environ))

    @property
    def cores(self) -> int:
        """CPU cores that this process may use."""
        return len(os.sched_getaffinity(0))

    @property
    def memory_bytes(self) -> int:
        """Memory of the machine, or of the container where that has less."""
        total: int = psutil.virtual_memory().total
        try:
            limit = _CGROUP_LIMIT.read_text().strip()
        except OSError:
            return total
        return min(total, int(limit)) if limit.isdigit() else total

    @property
    def available_bytes(self) -> int:
        """Memory that programs can have now without swapping."""
        available: int = psutil.virtual_memory().available
        return min(available, self.memory_bytes)

    def has(self, program: str) -> bool:
        """Whether `program` is on PATH, or a path to a program."""
        return shutil.which(program) is not None

    def disk(self, path: Path) -> tuple[int, int]:
        """The file system of `path`, which need not be there yet, by number, and its free space in bytes."""
        path = path.absolute()
        while not path.exists():
            path = path.parent
        return path.stat().st_dev, shutil.disk_usage(path).free

    def run(self, command: Sequence[str], timeout_s: float) -> Output:
        """Run a program without input; one that is not there or takes too long has a status too, and no exception."""
        try:
            done = subprocess.run(
                command,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=timeout_s,
                check=False,
                env=dict(self.variables),
            )
        except subprocess.TimeoutExpired:
            return Output(TIMED_OUT, "", f"{command[0]} did not end within {timeout_s:g} s")
        except OSError as error:
            return Output(NOT_STARTED, "", f"{command[0]}: {error.strerror}")
        return Output(done.returncode, done.stdout, done.stderr)
