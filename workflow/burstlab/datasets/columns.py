"""Reading chosen columns of a CSV or JSON-lines file by name, fast, and with errors that name the file."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path

import pyarrow as pa
import pyarrow.csv as pacsv
import pyarrow.json as pajson

from burstlab.errors import BurstlabError

_BLOCK_BYTES = 1 << 24  # a line of a trace may list thousands of block hashes


def read_csv_columns(path: Path, types: Mapping[str, pa.DataType]) -> pa.Table:
    """The columns named in `types`, in that order; others are not read, whatever their number and place.

    Empty cells are null. Raises BurstlabError for a file that cannot be read, a column that is missing or
    there twice, a row of another length, and a cell that is not of its column's type.
    """
    _check_header(path, types)
    try:
        return pacsv.read_csv(
            path,
            read_options=pacsv.ReadOptions(block_size=_BLOCK_BYTES),
            convert_options=pacsv.ConvertOptions(column_types=dict(types), include_columns=list(types)),
        )
    except (pa.ArrowException, OSError) as error:
        raise BurstlabError(f"{path} cannot be read as CSV: {error}") from error


def read_json_lines_columns(path: Path, types: Mapping[str, pa.DataType]) -> pa.Table:
    """The fields named in `types` of a file with one JSON object a line; others are not read, missing
    ones null.
    """
    schema = pa.schema(list(types.items()))
    try:
        return pajson.read_json(
            path,
            read_options=pajson.ReadOptions(block_size=_BLOCK_BYTES),
            parse_options=pajson.ParseOptions(explicit_schema=schema, unexpected_field_behavior="ignore"),
        ).select(list(types))
    except (pa.ArrowException, OSError) as error:
        raise BurstlabError(f"{path} cannot be read as JSON lines: {error}") from error


def _check_header(path: Path, types: Mapping[str, pa.DataType]) -> None:
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            header = next(csv.reader(file), [])
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise BurstlabError(f"{path} cannot be read as CSV: {error}") from error
    for name in types:
        if header.count(name) != 1:
            found = ", ".join(header)[:200] or "nothing"
            raise BurstlabError(
                f"{path} must have one column {name!r}, and has {header.count(name)}; its header is: {found}"
            )
