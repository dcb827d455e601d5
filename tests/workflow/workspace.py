"""A folder to run whole workflows in."""

import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from burstlab.files import sha256_of

Fingerprints = dict[str, tuple[int, str]]


@dataclass(frozen=True)
class Workspace:
    """A study's folder: its configuration, its results, and Snakemake to run it."""

    folder: Path
    root: Path

    def snakemake(self, config: dict[str, Any], *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run the workflow with `config`; what it prints is in `stdout`."""
        file = self.folder / "study.yaml"
        file.write_text(yaml.safe_dump(config))
        command = [
            *(sys.executable, "-m", "snakemake", "--snakefile", str(self.root / "Snakefile")),
            *("--directory", str(self.folder), "--configfile", str(file), "--cores", "all"),
        ]
        return subprocess.run(
            [*command, *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )

    def cells(self) -> Fingerprints:
        """Time stamp and digest of every file of every finished cell."""
        return {
            str(path.relative_to(self.folder)): (path.stat().st_mtime_ns, sha256_of(path))
            for record in self.folder.glob("results/cells/**/cell.json")
            for path in sorted(record.parent.iterdir())
        }
