"""Whether two tables say the same: the one that is stored and the one that is made anew."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv

# Another processor may sum in another order; nothing that matters is this small.
RELATIVE = 1e-9
ABSOLUTE = 1e-9


def table_differences(stored: pa.Table, derived: pa.Table, key: str) -> Iterator[str]:
    """The first difference of each column, as `tpot_ms of request 3 is 1.0, its raw files give 2.0`.

    `key` is the column by which a row is called. Numbers are the same to one part in 10⁹; all else is the same
    or not.
    """
    if stored.schema.names != derived.schema.names:
        yield f"has the columns {', '.join(stored.schema.names)}, not {', '.join(derived.schema.names)}"
        return
    if stored.num_rows != derived.num_rows:
        yield f"has {stored.num_rows} rows, its raw files give {derived.num_rows}"
        return
    for name in stored.schema.names:
        row = _first_difference(stored[name], derived[name])
        if row is not None:
            where = f"{key} {stored[key][row].as_py()}"
            values = (stored[name][row].as_py(), derived[name][row].as_py())
            yield f"{name} of {where} is {values[0]!r}, its raw files give {values[1]!r}"


def text_differences(path: Path, stored: pa.Table) -> Iterator[str]:
    """A line where the CSV file beside the table at `path` does not say what the table, `stored`, says."""
    said = io.BytesIO()
    pa.csv.write_csv(stored, said)
    text = path.with_suffix(".csv")
    if text.read_bytes() != said.getvalue():
        yield f"{text}: does not say what {path.name} says"


def same_number(one: float | int | None, other: float | int | None) -> bool:
    """Whether two numbers are the same, as those of tables are."""
    if one is None or other is None:
        return one is other
    return bool(np.isclose(one, other, rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True))


def _first_difference(one: pa.ChunkedArray, other: pa.ChunkedArray) -> int | None:
    if one.equals(other):
        return None
    if pa.types.is_floating(one.type) and pa.types.is_floating(other.type):
        # Nulls become NaN, so they are told apart from numbers by where they are.
        gaps = np.asarray(one.is_null()) != np.asarray(other.is_null())
        close = np.isclose(one.to_numpy(), other.to_numpy(), rtol=RELATIVE, atol=ABSOLUTE, equal_nan=True)
        wrong = np.flatnonzero(gaps | ~close)
    else:
        pairs = zip(one.to_pylist(), other.to_pylist(), strict=True)
        wrong = np.flatnonzero([left != right for left, right in pairs])
    return int(wrong[0]) if wrong.size else None
