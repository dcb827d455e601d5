from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.tables import stream
from burstlab.tables.stream import CellStream

SCHEMA = pa.schema([pa.field("value", pa.int64())])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.integers(0, 7), max_size=12))
def test_whatever_the_sizes_no_row_is_lost_and_no_cell_is_cut(tmp_path: Path, sizes: list[int]) -> None:
    path = tmp_path / "rows.parquet"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stream, "ROWS", 6)
        with CellStream(path, SCHEMA) as rows:
            for number, size in enumerate(sizes):
                rows.add(f"cell-{number}", "measured", pa.table({"value": range(size)}, schema=SCHEMA))
    with pq.ParquetFile(path) as file:
        groups = [file.read_row_group(number)["cell"].to_pylist() for number in range(file.num_row_groups)]
        values = file.read()["value"].to_pylist()
    assert values == [value for size in sizes for value in range(size)]
    cells = [set(group) for group in groups]
    assert sum(map(len, cells)) == len(set().union(*cells))
    assert all(len(group) >= 6 for group in groups[:-1])


def test_an_error_leaves_the_old_file_and_no_other(tmp_path: Path) -> None:
    path = tmp_path / "rows.parquet"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), CellStream(path, SCHEMA) as rows:
        rows.add("cell", "measured", pa.table({"value": [1]}, schema=SCHEMA))
        raise ZeroDivisionError
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
