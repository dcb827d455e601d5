"""The tables of profiled runs: are they what the runs' own files give?"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.profiles.run_schemas import SCHEMAS
from burstlab.profiles.run_tables import build_run_tables
from burstlab.records.cell_record import RECORD
from burstlab.verify.same import table_differences, text_differences

RUN_TABLES = tuple(f"{name}.parquet" for name in SCHEMAS)


def run_differences(folder: Path, runs: Mapping[str, Path]) -> Iterator[str]:
    """A line a difference between the tables of profiled runs in `folder` and the runs that they list.

    `runs` has the folder of every run that is there, by its identity.
    """
    try:
        listed = sorted({cell for name in RUN_TABLES for cell in _cells(folder / name)})
        lost = [run for run in listed if run not in runs]
        for run in lost:
            yield f"{folder}: has rows of the profiled run {run}, of which no folder is there"
        if lost:
            return
        with tempfile.TemporaryDirectory() as anew:
            build_run_tables([runs[run] / RECORD for run in listed], Path(anew))
            for name in RUN_TABLES:
                stored, derived = pq.read_table(folder / name), pq.read_table(Path(anew, name))
                for difference in table_differences(stored, derived, "cell"):
                    yield f"{folder / name}: {difference}"
                yield from text_differences(folder / name, stored)
    except (BurstlabError, pa.ArrowException, OSError, KeyError) as error:
        yield f"{folder}: {error}"


def _cells(table: Path) -> set[str]:
    return set(pq.read_table(table, columns=["cell"])["cell"].to_pylist())
