"""The folder that the soak works in: a small study, the workflow started there, its processes and its finished cells."""

import json
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from burstlab.files import sha256_of

ROOT = Path(__file__).resolve().parents[2]
MARK = "BURSTLAB_SOAK"
ALLOWED_S = 15.0
"""A process that outlives its workflow by more than this is an orphan."""

LEAST_TO_MEASURE = 12
"""More than a run measures before it is struck."""

Files = dict[str, tuple[int, str]]


def study(seeds: int) -> dict[str, object]:
    """Cells of about four seconds each, of one engine, half of them with prompts from a prepared data set."""
    default = yaml.safe_load((ROOT / "config.yaml").read_text())
    return {
        "platforms": {"cpu": default["platforms"]["cpu"]},
        "environments": {"vllm-cpu": default["environments"]["vllm-cpu"]},
        "engines": {"eager": default["engines"]["eager"]},
        "name": "soak",
        "models": {"tiny-gqa": default["models"]["tiny-gqa"]},
        "datasets": {
            "chats": {
                "source": "synthetic-sharegpt",
                "rows": 200,
                "length_scale": 0.1,
                "max_prompt_tokens": 128,
                "max_output_tokens": 32,
            }
        },
        "workloads": {
            "short": {"dataset": "random", "input_tokens": 64, "output_tokens": 16, "requests": 30},
            "chats": {"dataset": "chats", "requests": 30},
        },
        "blocks": [
            {
                "platforms": ["cpu"],
                "models": ["tiny-gqa"],
                "engines": ["eager"],
                "workloads": ["short", "chats"],
                "rates": [8.0],
                "burstiness": [1.0, 0.1],
                "seeds": list(range(seeds)),
            }
        ],
    }


@dataclass
class Run:
    """A workflow that was started; all its descendants carry its mark."""

    process: subprocess.Popen[bytes]
    mark: str
    log: Path

    def said(self) -> str:
        """What it printed."""
        return self.log.read_text(errors="replace")

    def processes(self, *words: str) -> list[int]:
        """Living processes of the run whose command line has one of `words` (any, when none is given)."""
        found = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                marks = (folder / "environ").read_bytes().split(b"\0")
                line = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
            if f"{MARK}={self.mark}".encode() in marks and (not words or any(w in line for w in words)):
                found.append(int(folder.name))
        return found

    def seconds_until_gone(self) -> float:
        """Seconds until nothing of it is left; fails when an orphan is."""
        started = time.monotonic()
        while left := self.processes():
            waited_s = time.monotonic() - started
            assert waited_s <= ALLOWED_S, f"processes {left} are left after {waited_s:.0f} s"
            time.sleep(0.05)
        return time.monotonic() - started


@dataclass
class Workspace:
    """One study's folder. `leases` is shared by all workspaces of a soak, as by all studies of a machine.

    `logs` gets what workflows print: elsewhere than the study, whose disk is filled.
    """

    folder: Path
    seeds: int
    leases: Path
    logs: Path
    kept: Files = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in (".envs", "envs"):
            (self.folder / name).symlink_to(ROOT / name)
        (self.folder / "resources").mkdir()
        (self.folder / "resources/models").symlink_to(ROOT / "resources/models")
        self._write_study()

    def leave_work(self) -> None:
        """Ask for more seeds where nearly all cells are measured: a fault that strikes a finished study shows nothing."""
        if self.cells - len(self.records()) < LEAST_TO_MEASURE:
            self.seeds += 4
            self._write_study()

    @property
    def cells(self) -> int:
        """How many the study has."""
        return 4 * self.seeds

    def _write_study(self) -> None:
        (self.folder / "soak.yaml").write_text(yaml.safe_dump(study(self.seeds)))

    def start(self, environment: Mapping[str, str] | None = None) -> Run:
        """Start the workflow up to the tables."""
        log = self.logs / f"workflow-{uuid.uuid4().hex[:8]}.log"
        mark = uuid.uuid4().hex
        command = [
            *(sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")),
            *("--directory", str(self.folder), "--configfile", str(self.folder / "soak.yaml")),
            *("--cores", "all", "results/tables/cells.parquet"),
        ]
        variables = {**os.environ, **(environment or {}), MARK: mark, "BURSTLAB_LEASES": str(self.leases)}
        with log.open("ab") as sink:
            process = subprocess.Popen(
                command, stdout=sink, stderr=sink, start_new_session=True, env=variables
            )
        return Run(process, mark, log)

    def is_measuring(self) -> bool:
        """Whether the engine of a session that began since `forget_sessions` was ready."""
        return any("the engine is ready" in log.read_text(errors="replace") for log in self._session_logs())

    def forget_sessions(self) -> None:
        """Remove the logs of earlier sessions."""
        for log in self._session_logs():
            log.unlink()

    def _session_logs(self) -> list[Path]:
        return list(self.folder.glob("logs/sessions/**/session.log"))

    def records(self) -> list[Path]:
        """Records of finished cells."""
        return sorted(self.folder.glob("results/cells/**/cell.json"))

    def finished(self) -> Files:
        """Time stamp and digest of every file of every cell that has a record."""
        return {
            str(path.relative_to(self.folder)): (path.stat().st_mtime_ns, sha256_of(path))
            for record in self.records()
            for path in record.parent.iterdir()
        }

    def check_finished(self, damaged: set[str]) -> int:
        """How many cells are finished; fails if one was touched or lost, `damaged` ones aside, or is half-written."""
        now = self.finished()
        for path, file in self.kept.items():
            assert str(Path(path).parent) in damaged or now.get(path) == file, f"{path} was touched"
        for path in self.records():
            if str(path.parent.relative_to(self.folder)) in damaged:
                continue
            record = json.loads(path.read_text())
            for name, file in record["files"].items():
                assert sha256_of(path.parent / name) == file["sha256"], f"{path.parent / name} is damaged"
        self.kept = now
        return len(self.records())
