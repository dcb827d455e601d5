"""A command under a guardian: started, watched and ended from the session's side."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from burstlab.engine import guardian, leftovers

GRACE_S = 5.0


class Guarded:
    """A running command whose whole process tree ends with this process.

    `stdin` and `stdout` are pipes when asked for; everything else the command prints goes to `log`.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        environment: Mapping[str, str],
        log: Path,
        pipes: bool = False,
        folder: Path | None = None,
    ) -> None:
        guardian.become_subreaper()
        read_end, self._lifeline = os.pipe()
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("ab") as sink:
            self._process = subprocess.Popen(
                [sys.executable, guardian.__file__, str(read_end), str(GRACE_S), "--", *command],
                env={**environment, leftovers.OWNER: leftovers.owner_tag()},
                stdin=subprocess.PIPE if pipes else subprocess.DEVNULL,
                stdout=subprocess.PIPE if pipes else sink,
                stderr=sink,
                pass_fds=(read_end,),
                start_new_session=True,
                cwd=folder,
            )
        os.close(read_end)

    @property
    def pid(self) -> int:
        """Process id of the guardian."""
        return self._process.pid

    @property
    def stdin(self) -> IO[bytes]:
        """The command's standard input (only with `pipes`)."""
        if self._process.stdin is None:
            raise ValueError("started without pipes")
        return self._process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        """The command's standard output (only with `pipes`)."""
        if self._process.stdout is None:
            raise ValueError("started without pipes")
        return self._process.stdout

    def exit_status(self) -> int | None:
        """The exit status when the command has ended, else None."""
        return self._process.poll()

    def stop(self) -> None:
        """End the command and all its descendants; returns when none is left."""
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        try:
            self._process.wait(GRACE_S + 5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._end_escaped()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None and not pipe.closed:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue

    def _end_escaped(self) -> None:
        """End what a killed guardian left: its orphans became children of this subreaper."""
        deadline = time.monotonic() + GRACE_S
        while time.monotonic() < deadline:
            left = leftovers.owned_by(leftovers.owner_tag(), session=self.pid)
            if not left:
                return
            guardian.signal_all(left, signal.SIGKILL)
            time.sleep(0.02)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
