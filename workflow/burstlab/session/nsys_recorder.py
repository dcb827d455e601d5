"""NVIDIA Nsight Systems as the recorder of an engine."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from burstlab.engine import nsys
from burstlab.engine.guarded_run import run_guarded
from burstlab.errors import BurstlabError
from burstlab.session.recorder import forget_traces, names_in

# nsys writes a report while `nsys stop` is waited for: of millions of launches that takes minutes.
PATIENCE_S = 1800.0
_REPORT = "report"
# NVIDIA's own package has target-linux-x64/nsys beside host-linux-x64/; Debian's two lie in two folders of /usr/lib.
_NEAR = 4


class NsysRecorder:
    """See `recorder.Recorder`. `further` are arguments of `nsys start`, `log` gets what nsys says."""

    def __init__(self, folder: Path, log: Path, further: Sequence[str] = ()) -> None:
        self.folder = folder
        self._log = log
        self._further = tuple(further)
        # Of this engine alone: an engine that died may have left its session behind for a moment.
        self._session = f"burstlab-{secrets.token_hex(4)}"

    @property
    def prefix(self) -> list[str]:
        """`nsys launch` with its arguments."""
        return nsys.launch(self._session)

    @property
    def arguments(self) -> list[str]:
        """None."""
        return []

    @property
    def environment(self) -> dict[str, str]:
        """None."""
        return {}

    @contextlib.contextmanager
    def recording(self) -> Iterator[None]:
        """See `Recorder`."""
        forget_traces(self.folder)
        self._run(nsys.start(self._session, self.folder / _REPORT, self._further))
        try:
            yield
        except BurstlabError:
            # `nsys cancel` would throw it away, but 2022.4 then starts no other one.
            with contextlib.suppress(BurstlabError):
                self._run(nsys.stop(self._session))
            raise
        self._run(nsys.stop(self._session))

    def trace(self) -> Path:
        """The report as an SQLite database."""
        database = self.folder / f"{_REPORT}.sqlite"
        self._run(nsys.export(self._report(), database))
        return database

    def _report(self) -> Path:
        report, raw = (self.folder / f"{_REPORT}{suffix}" for suffix in (".nsys-rep", ".qdstrm"))
        if not report.exists() and raw.exists():
            self._import(raw)
        if not report.exists():
            raise BurstlabError(
                f"{self.folder}: nsys was to leave {report.name} there; there is {names_in(self.folder)}; "
                f"log: {self._log}"
            )
        return report

    def _import(self, raw: Path) -> None:
        """Do what an nsys that does not find its own importer, such as Debian's 2022.4, leaves undone."""
        program = importer(Path(shutil.which(nsys.PROGRAM) or nsys.PROGRAM))
        if program is None:
            raise BurstlabError(
                f"{raw}: nsys left its raw data only, and there is no QdstrmImporter beside it; log: {self._log}"
            )
        self._run([str(program), "-i", str(raw)])

    def _run(self, command: list[str]) -> None:
        run_guarded(command, environment=os.environ, log=self._log, timeout_s=PATIENCE_S)


def importer(program: Path) -> Path | None:
    """The program that makes a report of raw data, in the installation that the program `nsys` is a part of."""
    for folder in program.resolve().parents[:_NEAR]:
        for place in ("host-linux-*", "nsight-systems/host-linux-*"):
            found = sorted(folder.glob(f"{place}/QdstrmImporter"))
            if found:
                return found[0]
    return None
