"""The workflow's job that packs an archive: a log, and a short message when it fails."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from burstlab.archive.pack import pack
from burstlab.archive.told import told
from burstlab.errors import BurstlabError

WHOLE = "study"
"""The selection that is the whole study, with tables, figures and report."""


def archive_from_workflow(config: Mapping[str, Any], selection: str, output: Path, log: Path) -> None:
    """Pack `selection`, `study` or the first folders of cells' identities, of the study of `config`.

    Raises SystemExit with one message where it cannot be packed.
    """
    with log.open("w") as sink:
        try:
            packed = pack(config, output, cells=None if selection == WHOLE else selection)
        except BurstlabError as error:
            print(error, file=sink)
            raise SystemExit(str(error)) from None
        print("\n".join(told(packed)), file=sink)
