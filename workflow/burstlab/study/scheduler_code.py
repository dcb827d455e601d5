"""The code of a scheduler plug-in, as far as it lies in the study's folder."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from burstlab.files import sha256_of


def scheduler_sha256(scheduler: str, root: Path, variables: Mapping[str, str] = os.environ) -> str | None:
    """SHA-256 of the file that defines `scheduler` (`package.module.Class`); None if `root` does not hold it.

    It is looked for as Python would, in the folders of PYTHONPATH that lie in `root`, then in `root` and
    `root/workflow`. Modules that it imports are not looked at.
    """
    module = scheduler.rpartition(".")[0].replace(".", "/")
    for folder in _folders(root, variables):
        for path in (folder / module / "__init__.py", folder / f"{module}.py"):
            if path.is_file():
                return sha256_of(path)
    return None


def _folders(root: Path, variables: Mapping[str, str]) -> Iterator[Path]:
    whole = root.resolve()
    for entry in variables.get("PYTHONPATH", "").split(os.pathsep):
        if entry and (whole / entry).resolve().is_relative_to(whole):
            yield whole / entry
    yield whole
    yield whole / "workflow"
