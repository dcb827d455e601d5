import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from burstlab import cli
from burstlab.collections import collect as collect_module
from burstlab.collections.collect import collect
from burstlab.errors import BurstlabError
from burstlab.records.cell_record import write_content
from burstlab.records.parquet import write_parquet
from burstlab.tables.study_tables import build_tables
from burstlab.verify.cell import verify_cell
from burstlab.verify.everything import verify


@pytest.fixture
def study(measured: Any) -> Any:
    """The study with its tables."""
    build(measured)
    return measured


def build(study: Any) -> None:
    build_tables([study.folder(cell) / "cell.json" for cell in study.cells], study.root / "results/tables")


def restamp(folder: Path, **changes: Any) -> None:
    """Write the cell's record anew as if it had always been of the files that are there now."""
    import hashlib

    content = json.loads((folder / "cell.json").read_text())
    for name in content["files"]:
        data = (folder / name).read_bytes()
        content["files"][name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    content["summary"].update(changes.pop("summary", {}))
    content.update(changes)
    write_content(folder / "cell.json", content)


def edit(path: Path, column: str, value: Any, row: int = 0) -> None:
    """Put `value` into one row of a Parquet file."""
    table = pq.read_table(path)
    values = table[column].to_pylist()
    values[row] = value
    place = table.schema.get_field_index(column)
    field = table.schema.field(place)
    write_parquet(path, table.set_column(place, field, pa.array(values, field.type)))


def test_nothing_differs_in_what_was_measured_and_collected(
    study: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(collect_module, "draw", lambda *_: None)
    collect(study.study, "shipped", {"cpu": "xeon"})
    monkeypatch.chdir(study.root)
    assert cli.main(["verify"]) == 0
    said = capsys.readouterr().out
    assert "8 cells made anew from their raw files, tables in results/tables" in said
    assert said.endswith("nothing differs\n")


@pytest.mark.parametrize(
    ("name", "column", "value", "said"),
    [
        ("requests.parquet", "tpot_ms", 1.0, "tpot_ms of request 0 is 1.0, its raw files give 250.0"),
        ("requests.parquet", "send_s", 7.0, "send_s of request 0 is 7.0, its raw files give"),
        ("requests.parquet", "error", "lost", "error of request 0 is 'lost', its raw files give None"),
        ("requests.parquet", "planned_send_s", 9.0, "planned_send_s of request 0 is 9.0, its raw files give"),
        (
            "iterations.parquet",
            "elapsed_ms",
            1.0,
            "elapsed_ms of iteration 0 is 1.0, its raw files give 40.0",
        ),
        ("iterations.parquet", "kind", "mixed", "kind of iteration 0 is 'mixed'"),
        ("iterations.parquet", "kv_usage", None, "kv_usage of iteration 0 is None"),
    ],
)
def test_a_table_that_its_raw_files_do_not_give_is_told_though_its_record_vouches_for_it(
    study: Any, name: str, column: str, value: Any, said: str
) -> None:
    folder = study.folder(study.cells[0])
    edit(folder / name, column, value)
    restamp(folder)
    assert any(f"{name}: {said}" in difference for difference in verify_cell(folder).differences)


def test_a_metric_that_the_tables_do_not_give_is_told(study: Any) -> None:
    folder = study.folder(study.cells[0])
    restamp(folder, summary={"mean_tpot_ms": 1.0})
    (difference,) = verify_cell(folder).differences
    assert difference == "cell.json: summary.mean_tpot_ms is 1.0, its raw files give 250.0"


def test_lost_lines_are_told(study: Any) -> None:
    folder = study.folder(study.cells[0])
    restamp(folder, log_lines={"unparsed": 0, "dummy": 5, "idle": 0})
    (difference,) = verify_cell(folder).differences
    assert "log_lines" in difference


@pytest.mark.parametrize(
    "name", ["bench.json", "requests.parquet", "iterations.parquet", "iterations.log.zst"]
)
def test_a_damaged_file_is_told(study: Any, name: str) -> None:
    path = study.folder(study.cells[0]) / name
    data = path.read_bytes()
    path.write_bytes(data[:40] + bytes([data[40] ^ 1]) + data[41:])
    (difference,) = verify_cell(path.parent).differences
    assert name in difference


def test_what_was_not_kept_is_said_and_is_no_difference(measured: Any) -> None:
    cell = measured.cells[0]
    folder = measured.folder(cell)
    (folder / "iterations.log.zst").unlink()
    content = json.loads((folder / "cell.json").read_text())
    del content["files"]["iterations.log.zst"], content["times"]["start_clock_s"]
    write_content(folder / "cell.json", content)
    found = verify_cell(folder)
    assert found.differences == []
    assert found.not_raw == ["iterations: the engine's lines were not kept"]


@pytest.mark.parametrize(
    ("table", "column", "value", "said"),
    [
        ("cells", "mean_tpot_ms", 1.0, "mean_tpot_ms of cell cpu/tiny"),
        ("cells", "counted", False, "counted of cell cpu/tiny"),
        ("requests", "ttft_ms", 1.0, "ttft_ms of request 0 is 1.0"),
        ("requests", "evidence", "simulated", "evidence of cpu/tiny"),
        ("iterations", "elapsed_ms", 1.0, "elapsed_ms of iteration 0 is 1.0"),
    ],
)
def test_a_study_table_that_the_cells_do_not_give_is_told(
    study: Any, table: str, column: str, value: Any, said: str
) -> None:
    edit(study.root / f"results/tables/{table}.parquet", column, value)
    differences = verify(study.root / "results").differences
    assert any(f"{table}.parquet" in one and said in one for one in differences)


def test_a_cell_that_a_table_lost_is_told(study: Any) -> None:
    path = study.root / "results/tables/requests.parquet"
    table = pq.read_table(path)
    lost = study.cells[0].id
    pq.write_table(table.filter(pc.not_equal(table["cell"], lost)), path)
    assert any(f"has no rows of {lost}" in one for one in verify(study.root / "results").differences)


def test_a_row_of_a_cell_that_is_nowhere_is_told(study: Any) -> None:
    import shutil

    shutil.rmtree(study.folder(study.cells[0]))
    differences = verify(study.root / "results").differences
    assert any(f"has {study.cells[0].id}, of which no folder is there" in one for one in differences)


def test_text_that_says_something_else_is_told(study: Any) -> None:
    path = study.root / "results/tables/cells.csv"
    path.write_text(path.read_text().replace("250", "251"))
    (difference,) = verify(study.root / "results").differences
    assert "cells.csv: does not say what cells.parquet says" in difference


def test_a_damaged_collection_is_told_with_status_1(
    study: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(collect_module, "draw", lambda *_: None)
    collect(study.study, "shipped", {"cpu": "xeon"})
    (study.root / "collections/shipped/extra").write_text("")
    monkeypatch.chdir(study.root)
    assert cli.main(["verify"]) == 1
    assert "extra: is extra" in capsys.readouterr().out


def test_a_folder_without_a_study_is_not_called_verified(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="is not there, nor a collection in"):
        verify(tmp_path / "results")
