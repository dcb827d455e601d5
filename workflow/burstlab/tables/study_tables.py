"""From the folders of cells to the study's tables, checking every file that goes into them."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from burstlab.bench.requests_table import SCHEMA as REQUESTS_SCHEMA
from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_bytes
from burstlab.iterations.log import SCHEMA as ITERATIONS_SCHEMA
from burstlab.records.cell_record import ITERATIONS, REQUESTS, read_record
from burstlab.records.parquet import read_parquet
from burstlab.records.schema import CellRecord
from burstlab.study.unseen import same_measurement
from burstlab.tables import cells_table
from burstlab.tables.stream import CellStream

CELLS_TABLE = "cells.parquet"
CELLS_TEXT = "cells.csv"
REQUESTS_TABLE = "requests.parquet"
ITERATIONS_TABLE = "iterations.parquet"
_DEPTH = 7  # parts of a cell's identity


def build_tables(
    records: Sequence[Path],
    folder: Path,
    asked: Mapping[str, dict[str, Any]] | None = None,
    unasked: Collection[Path] = (),
) -> None:
    """Write cells, requests and iterations of the cells with these `cell.json` into `folder`, as Parquet.

    Rows are in order of the cells' identities, whatever the order of `records`. `cells.csv` has the cells
    once more, for people. Only a few cells are in memory at a time, but for their rows in the table of
    cells. `asked` has the specification that is asked for, by the cell's identity; the records `unasked`, which are of
    collections, are taken as they are. Raises
    BurstlabError, and leaves the tables as they were, when a record or table is damaged, a cell comes twice
    or was measured as something else than is asked for.
    """
    rows: list[cells_table.Row] = []
    requests = CellStream(folder / REQUESTS_TABLE, REQUESTS_SCHEMA)
    iterations = CellStream(folder / ITERATIONS_TABLE, ITERATIONS_SCHEMA)
    given = set(unasked)
    with requests, iterations:
        for path in sorted(set(records), key=_identity):
            record = read_record(path)
            row = _row(path, record)
            _belongs(path, row["cell"])
            if rows and rows[-1]["cell"] == row["cell"]:
                raise BurstlabError(f"{path}: {row['cell']} is given twice")
            wanted = None if asked is None or path in given else asked.get(row["cell"], {})
            if wanted is not None and not same_measurement(wanted, record.specification):
                raise BurstlabError(f"{path}: was measured under another specification than is asked for")
            rows.append(row)
            requests.add(row["cell"], row["evidence"], _read(path.parent / REQUESTS, record, REQUESTS_SCHEMA))
            iterations.add(
                row["cell"], row["evidence"], _read(path.parent / ITERATIONS, record, ITERATIONS_SCHEMA)
            )
        # Inside, so that an error here leaves the other two as they were as well.
        _write_cells(rows, folder)


def _identity(record: Path) -> tuple[str, str]:
    # As text: compared part by part, "a/x" would come before "a-b/x", unlike the identities.
    path = record.parent.as_posix()
    return ("/".join(path.split("/")[-_DEPTH:]), path)


def _row(path: Path, record: CellRecord) -> cells_table.Row:
    try:
        return cells_table.cell_row(record)
    except (TypeError, ValueError, OverflowError) as error:
        raise _unfit(str(path), error) from error


def _unfit(where: str, error: Exception) -> BurstlabError:
    return BurstlabError(f"{where}: a value does not fit into the table of cells: {error}")


def _belongs(path: Path, cell: str) -> None:
    if not f"/{path.parent.as_posix()}".endswith(f"/{cell}"):
        raise BurstlabError(f"{path}: is the record of {cell}, not of this folder")


def _read(path: Path, record: CellRecord, schema: pa.Schema) -> pa.Table:
    entry = record.files.get(path.name)
    if entry is None:
        raise BurstlabError(f"{path}: its cell.json does not list it")
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
    if len(data) != entry.bytes or hashlib.sha256(data).hexdigest() != entry.sha256:
        raise BurstlabError(f"{path}: is damaged: it is not the file that its cell.json recorded")
    return read_parquet(data, schema, path)


def _write_cells(rows: Sequence[cells_table.Row], folder: Path) -> None:
    table = _cells(cells_table.with_load(rows))
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd")
    atomic_write_bytes(folder / CELLS_TABLE, buffer.getvalue())
    text = io.BytesIO()
    pa.csv.write_csv(table, text)
    atomic_write_bytes(folder / CELLS_TEXT, text.getvalue())


def _cells(rows: Sequence[cells_table.Row]) -> pa.Table:
    try:
        return pa.Table.from_pylist(rows, schema=cells_table.SCHEMA)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        if len(rows) == 1:
            raise _unfit(rows[0]["cell"], error) from error
        for row in rows:
            _cells([row])
        raise
