"""The two tables of a cell as Parquet files, written whole or not at all, and read strictly."""

from __future__ import annotations

import io
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_bytes


def write_parquet(path: Path, table: pa.Table) -> None:
    """Write `table` to `path` atomically, as one row group."""
    buffer = io.BytesIO()
    # Nobody looks for rows in a file as small as this, so it needs no statistics.
    pq.write_table(
        table, buffer, compression="zstd", row_group_size=max(table.num_rows, 1), write_statistics=False
    )
    atomic_write_bytes(path, buffer.getvalue())


def read_parquet(data: bytes, schema: pa.Schema, path: Path) -> pa.Table:
    """The table in `data`, the content of `path`; BurstlabError if it is no Parquet or has other columns."""
    try:
        with pq.ParquetFile(pa.BufferReader(data)) as file:
            table = file.read(use_threads=False)
        table.validate(full=True)  # texts that are not UTF-8 would fail where they are used
    except (pa.ArrowException, OSError, ValueError) as error:
        raise BurstlabError(f"{path}: not a readable Parquet file: {error}") from error
    if not table.schema.equals(schema):
        found = ", ".join(f"{field.name} ({field.type})" for field in table.schema)
        raise BurstlabError(f"{path}: columns {', '.join(schema.names)} were expected, it has {found}")
    return table
