from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.errors import BurstlabError
from burstlab.records.parquet import read_parquet, write_parquet

SCHEMA = pa.schema([pa.field("value_ms", pa.float64()), pa.field("text", pa.string())])
TABLE = pa.table({"value_ms": [1.5, None], "text": ["a", None]}, schema=SCHEMA)


def test_a_table_reads_back_with_its_nulls(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "rows.parquet"
    write_parquet(path, TABLE)
    assert read_parquet(path.read_bytes(), SCHEMA, path).equals(TABLE)
    write_parquet(path, TABLE.slice(0, 0))
    assert read_parquet(path.read_bytes(), SCHEMA, path).num_rows == 0


def test_other_columns_are_an_error_that_lists_them(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    write_parquet(path, TABLE)
    wanted = pa.schema([pa.field("value_s", pa.float64())])
    with pytest.raises(
        BurstlabError, match=r"columns value_s were expected, it has value_ms \(double\), text"
    ):
        read_parquet(path.read_bytes(), wanted, path)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60), st.integers(0, 600), st.integers(0, 600))
def test_a_damaged_file_gives_a_table_or_one_kind_of_error(
    tmp_path: Path, junk: bytes, start: int, end: int
) -> None:
    path = tmp_path / "rows.parquet"
    if not path.exists():
        write_parquet(path, TABLE)
    data = path.read_bytes()
    try:
        table = read_parquet(data[:start] + junk + data[end:], SCHEMA, path)
    except BurstlabError:
        return
    assert table.schema.equals(SCHEMA)
