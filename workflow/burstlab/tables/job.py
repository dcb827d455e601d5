"""The workflow's job that builds the study's tables: a log, and a short message when it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from burstlab.errors import BurstlabError
from burstlab.study.expand import cells
from burstlab.study.load import load_study
from burstlab.study.specification import specifications
from burstlab.tables.study_tables import build_tables
from burstlab.wording import count


def tables_from_workflow(
    config: Mapping[str, Any], records: Sequence[Path], collected: Sequence[Path], folder: Path, log: Path
) -> None:
    """Build the tables in `folder` from the `cell.json` files `records`, each as `config` asks for it, and `collected`.

    Raises SystemExit with one message where a record is damaged or answers another configuration.
    """
    with log.open("w") as sink:
        try:
            study = load_study(config, [], Path.cwd())
            asked = {cell.id: one for cell, one in specifications(cells(study), study).items()}
            build_tables([*records, *collected], folder, asked, unasked=collected)
            print(f"tables of {count(len(records), 'cell')} and {len(collected)} of collections", file=sink)
        except BurstlabError as error:
            print(error, file=sink)
            raise SystemExit(str(error)) from None
