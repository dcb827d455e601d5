"""What the simulator predicted for the report: are its tables what it gives now?"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.records.cell_record import RECORD
from burstlab.simulator.regimes.job import TABLE as REGIMES
from burstlab.simulator.regimes.job import write_regimes
from burstlab.simulator.regimes.sweep import sweep
from burstlab.simulator.validation.errors_table import NAME, write_table
from burstlab.simulator.validation.validate import validate
from burstlab.verify.same import table_differences, text_differences

VALIDATION = f"{NAME}.parquet"


def simulator_differences(folder: Path, cells: Mapping[str, Path]) -> Iterator[str]:
    """A line a difference between the simulator's errors and the background of the regime map in `folder`, as far as they are
    there, and what it gives of the tables beside them and the records of `cells`."""
    if (folder / VALIDATION).exists():
        yield from _differences(
            folder / VALIDATION, lambda anew: write_table(list(_errors(folder, cells)), anew), "cell"
        )
    if (folder / REGIMES).exists():
        yield from _differences(folder / REGIMES, lambda anew: write_regimes(anew, sweep()), "load")


def _errors(folder: Path, cells: Mapping[str, Path]) -> Iterator[dict[str, object]]:
    return validate(folder, lambda cell: cells.get(cell, folder / cell) / RECORD)


def _differences(path: Path, write: Callable[[Path], None], key: str) -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="burstlab-verify-") as name:
        try:
            write(Path(name))
            stored = pq.read_table(path)
            for difference in table_differences(stored, pq.read_table(Path(name) / path.name), key):
                yield f"{path}: {difference}"
            yield from text_differences(path, stored)
        except (BurstlabError, pa.ArrowException, OSError) as error:
            yield f"{path}: {error}"
