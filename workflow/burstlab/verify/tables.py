"""The study's tables: do they hold what the cells' own files say, no more and no less?"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.records.cell_record import RECORD, read_record
from burstlab.tables import cells_table
from burstlab.tables.study_tables import (
    CELLS_TABLE,
    CELLS_TEXT,
    ITERATIONS_TABLE,
    REQUESTS_TABLE,
)
from burstlab.verify.same import table_differences

_PARTS = {REQUESTS_TABLE: "request", ITERATIONS_TABLE: "iteration"}


def table_differences_of(folder: Path, cells: Mapping[str, Path]) -> Iterator[str]:
    """A line a difference between the tables in `folder` and the cells that they list.

    `cells` has the folder of every cell that is there, by its identity. The large tables are read one row group
    at a time, so that memory does not grow with them.
    """
    try:
        stored = pq.read_table(folder / CELLS_TABLE)
        listed = [str(cell) for cell in stored["cell"].to_pylist()]
        for cell in sorted(set(listed) - cells.keys()):
            yield f"{folder / CELLS_TABLE}: has {cell}, of which no folder is there"
        there = [cell for cell in listed if cell in cells]
        if len(there) == len(listed):
            yield from _cells(folder, stored, cells)
        for name, key in _PARTS.items():
            yield from _rows(folder / name, key, there, cells)
    except (BurstlabError, pa.ArrowException, OSError, KeyError) as error:
        yield f"{folder}: {error}"


def _cells(folder: Path, stored: pa.Table, cells: Mapping[str, Path]) -> Iterator[str]:
    listed = stored["cell"].to_pylist()
    rows = [cells_table.cell_row(read_record(cells[cell] / RECORD)) for cell in listed]
    derived = pa.Table.from_pylist(cells_table.with_load(rows), schema=cells_table.SCHEMA)
    for difference in table_differences(stored, derived, "cell"):
        yield f"{folder / CELLS_TABLE}: {difference}"
    text = io.BytesIO()
    pa.csv.write_csv(stored, text)
    if (folder / CELLS_TEXT).read_bytes() != text.getvalue():
        yield f"{folder / CELLS_TEXT}: does not say what {CELLS_TABLE} says"


def _rows(path: Path, key: str, listed: list[str], cells: Mapping[str, Path]) -> Iterator[str]:
    left = dict.fromkeys(listed)
    for cell, stored in _by_cell(path):
        if cell not in left:
            yield f"{path}: has rows of {cell}, which is given twice or is not in {CELLS_TABLE}"
            continue
        del left[cell]
        derived = pq.read_table(cells[cell] / path.name)
        evidence = read_record(cells[cell] / RECORD).evidence
        if set(stored["evidence"].to_pylist()) != {evidence}:
            yield f"{path}: evidence of {cell} is not {evidence}"
        for difference in table_differences(stored.drop_columns(["cell", "evidence"]), derived, key):
            yield f"{path}: of {cell}: {difference}"
    for cell in left:
        if pq.read_metadata(cells[cell] / path.name).num_rows:
            yield f"{path}: has no rows of {cell}"


def _by_cell(path: Path) -> Iterator[tuple[str, pa.Table]]:
    """The rows of each cell in turn; row groups end where cells do."""
    with pq.ParquetFile(path) as file:
        for number in range(file.num_row_groups):
            rows = file.read_row_group(number)
            runs = pc.run_end_encode(rows["cell"].combine_chunks())
            start = 0
            for cell, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
                yield cell, rows.slice(start, end - start)
                start = end
