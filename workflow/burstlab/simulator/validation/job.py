"""The workflow's job that holds the simulator against the study's measured cells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from burstlab.collections.places import record_of
from burstlab.errors import BurstlabError
from burstlab.simulator.validation.errors_table import write_table
from burstlab.simulator.validation.validate import validate
from burstlab.wording import count


def validation_from_workflow(results: Path, collections: Sequence[Path], log: Path) -> None:
    """Write the table of errors beside the study tables in `results/tables`; cells are in `results` or one of `collections`.

    Raises SystemExit with one message where a table or a record is damaged.
    """
    with log.open("w") as sink:

        def say(line: str) -> None:
            print(line, file=sink)

        try:
            tables = results / "tables"
            rows = list(validate(tables, lambda cell: record_of(cell, results, collections), say))
            write_table(rows, tables)
            say(f"predicted {count(len({row['cell'] for row in rows}), 'cell')}")
        except BurstlabError as error:
            say(str(error))
            raise SystemExit(str(error)) from None
