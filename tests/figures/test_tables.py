from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.figures import synthetic_tables as made

from burstlab.figures.tables import Tables


def test_rows_are_those_of_the_cells_asked_for(tmp_path: Path) -> None:
    tables = Tables(made.write_tables(tmp_path, made.small_study()))
    wanted = [made.identity(made.cell(1, 0.5)), made.identity(made.cell(2, 0.1))]
    rows = tables.rows("requests", wanted, ["tpot_ms"])
    assert sorted(rows["cell"].unique()) == sorted(wanted)
    assert len(rows) == 80
    assert list(rows.columns) == ["cell", "tpot_ms"]


def test_only_row_groups_with_those_cells_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tables = Tables(made.write_tables(tmp_path, made.small_study()))
    read: list[int] = []
    whole = pq.ParquetFile.read_row_groups

    def spy(self: pq.ParquetFile, groups: list[int], **options: object) -> pa.Table:
        read.extend(groups)
        return whole(self, groups, **options)

    monkeypatch.setattr(pq.ParquetFile, "read_row_groups", spy)
    tables.rows("iterations", [made.identity(made.cell(1, 0.5))], ["kind"])
    assert len(read) == 1


def test_dictionary_encoded_and_unmeasured_columns_are_read_alike(tmp_path: Path) -> None:
    made.write_tables(tmp_path, made.small_study())
    path = tmp_path / "requests.parquet"
    plain = pq.read_table(path)
    encoded = plain.set_column(0, "cell", plain["cell"].dictionary_encode())
    cell = made.identity(made.cell())
    before = Tables(tmp_path).rows("requests", [cell], ["ttft_ms"])
    pq.write_table(encoded, path, write_statistics=False)
    pd.testing.assert_frame_equal(Tables(tmp_path).rows("requests", [cell], ["ttft_ms"]), before)


def test_no_cell_gives_no_rows(tmp_path: Path) -> None:
    tables = Tables(made.write_tables(tmp_path, [made.cell()]))
    assert len(tables.rows("requests", [], ["tpot_ms"])) == 0
