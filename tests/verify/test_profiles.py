"""Tables of profiled runs are made anew from the runs' own files."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from burstlab import cli
from burstlab.profiles.run_tables import build_run_tables
from burstlab.records.parquet import write_parquet
from burstlab.verify.everything import verify


@pytest.fixture
def study(recorded: Any) -> Any:
    """The study with the tables of its profiled runs."""
    records = [recorded.run_folder(run) / "cell.json" for run in recorded.runs]
    build_run_tables(records, recorded.root / "results/tables")
    return recorded


def test_nothing_differs_in_what_was_recorded(
    study: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(study.root)
    assert cli.main(["verify"]) == 0
    said = capsys.readouterr().out
    assert "4 cells and 2 profiled runs made anew from their raw files" in said
    assert "not made anew, in 2 profiled runs: kernels: the traces of profiled runs are not kept" in said
    assert said.endswith("nothing differs\n")


def test_a_number_that_the_launches_do_not_give_is_told(study: Any) -> None:
    path = study.root / "results/tables/breakdown.parquet"
    table = pq.read_table(path)
    times = table["time_us"].to_pylist()
    times[0] += 1.0
    place = table.schema.get_field_index("time_us")
    write_parquet(path, table.set_column(place, table.schema.field(place), pa.array(times)))
    found = verify(study.root / "results").differences
    assert any("breakdown.parquet: time_us of cell cpu/tiny/" in difference for difference in found)
    assert any("breakdown.csv: does not say what breakdown.parquet says" in one for one in found)


def test_rows_of_a_run_that_is_not_there_are_told(study: Any) -> None:
    lost = study.runs[0]
    (study.run_folder(lost) / "cell.json").unlink()
    (difference,) = verify(study.root / "results").differences
    assert f"has rows of the profiled run {lost.id}, of which no folder is there" in difference


@pytest.mark.parametrize("name", ["kernels.parquet", "profiled_iterations.parquet"])
def test_a_damaged_file_of_a_run_is_told(study: Any, name: str) -> None:
    path: Path = study.run_folder(study.runs[0]) / name
    path.write_bytes(path.read_bytes()[:-1])
    (difference,) = verify(study.root / "results").differences
    assert f"{name}: is damaged" in difference
