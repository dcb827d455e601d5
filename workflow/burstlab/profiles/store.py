"""Tables of profiles as Parquet files."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.profiles.launch_families import with_families
from burstlab.profiles.schema import ITERATIONS, LAUNCHES
from burstlab.records.parquet import read_parquet, write_parquet

# A reader of a window of time reads few of these.
ROWS = 1 << 18
# Times of the start take most of a file, and hardly repeat; all else does. A seventh smaller than by Arrow's own choice.
_ENCODING = {"start_us": "BYTE_STREAM_SPLIT"}
_REPEATING = [name for name in LAUNCHES.names if name not in _ENCODING]


def write_launches(path: Path, launches: pa.Table) -> None:
    """Write a table of `schema.LAUNCHES` to `path`, whole or not at all, and without holding the file in memory."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        encodings: dict[str, Any] = {"use_dictionary": _REPEATING, "column_encoding": _ENCODING}
        with pq.ParquetWriter(temporary, LAUNCHES, compression="zstd", **encodings) as writer:
            writer.write_table(launches, row_group_size=ROWS)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def write_iterations(path: Path, iterations: pa.Table) -> None:
    """Write a table of `schema.ITERATIONS` to `path`, whole or not at all."""
    write_parquet(path, iterations)


def read_iterations(path: Path) -> pa.Table:
    """The table again; BurstlabError if the file cannot be read, is no Parquet or has other columns."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
    return read_parquet(data, ITERATIONS, path)


def read_launches(path: Path) -> pa.Table:
    """The table again, with families by the rules of today; BurstlabError if the file is no Parquet or has other columns."""
    try:
        table = pq.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise BurstlabError(f"{path}: not a readable Parquet file: {error}") from error
    if not table.schema.equals(LAUNCHES):
        found = ", ".join(f"{field.name} ({field.type})" for field in table.schema)
        raise BurstlabError(f"{path}: columns {', '.join(LAUNCHES.names)} were expected, it has {found}")
    try:
        return with_families(table.unify_dictionaries().combine_chunks())
    except ValueError as error:
        raise BurstlabError(f"{path}: a grid is no size: {error}") from error
