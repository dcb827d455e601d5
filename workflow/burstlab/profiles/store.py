"""Tables of profiles as Parquet files."""

from __future__ import annotations

import secrets
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.profiles.schema import LAUNCHES

# A reader of a window of time reads few of these.
ROWS = 1 << 18


def write_launches(path: Path, launches: pa.Table) -> None:
    """Write a table of `schema.LAUNCHES` to `path`, whole or not at all, and without holding the file in memory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with pq.ParquetWriter(temporary, LAUNCHES, compression="zstd") as writer:
            writer.write_table(launches, row_group_size=ROWS)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def read_launches(path: Path) -> pa.Table:
    """The table again; BurstlabError if the file is no Parquet or has other columns."""
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise BurstlabError(f"{path}: not a readable Parquet file: {error}") from error
    if not table.schema.equals(LAUNCHES):
        found = ", ".join(f"{field.name} ({field.type})" for field in table.schema)
        raise BurstlabError(f"{path}: columns {', '.join(LAUNCHES.names)} were expected, it has {found}")
    return table.unify_dictionaries().combine_chunks()
