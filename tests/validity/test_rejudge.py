"""Recorded cells can be judged anew, and their records put right, without measuring them again."""

from pathlib import Path
from typing import Any

import pytest
from tests.records.sample_cells import SampleCells

from burstlab import cli
from burstlab.errors import BurstlabError
from burstlab.records.cell_record import check_folder
from burstlab.records.schema import Gate
from burstlab.validity.judge import judge_cell
from burstlab.validity.rejudge import rejudge


@pytest.fixture
def sample_cells(tmp_path: Path) -> SampleCells:
    return SampleCells(tmp_path / "results")


def test_only_the_verdicts_in_a_record_change(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    folder = sample_cells.build(cell, gates=(Gate(name="requests-succeeded", passed=True),))
    before = check_folder(folder, cell)
    found = rejudge(sample_cells.results, write=True)
    after = check_folder(folder, cell)
    assert found.otherwise == [cell.id]
    assert after.gates == judge_cell(folder)
    assert after.failed_gates
    unchanged = {"gates", "record_sha256"}
    assert before.model_dump(exclude=unchanged) == after.model_dump(exclude=unchanged)
    assert rejudge(sample_cells.results, write=False).otherwise == []


def test_without_being_told_so_it_writes_nothing(sample_cells: Any, capsys: Any) -> None:
    cell = sample_cells.cell()
    record = sample_cells.build(cell) / "cell.json"
    before = record.read_bytes()
    assert cli.main(["gates", "--results", str(sample_cells.results)]) == 1
    assert record.read_bytes() == before
    out = capsys.readouterr().out
    assert f"failed: {cell.id}: requests-succeeded: 1 of 3 requests failed" in out
    assert f"`burstlab gates --results {sample_cells.results} --write` would put that right: {cell.id}" in out
    assert out.endswith("1 cell judged, 1 excluded\n")


def test_a_folder_without_cells_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="there is no cell in it"):
        rejudge(tmp_path, write=False)


def test_a_damaged_cell_is_listed_and_the_others_are_judged(sample_cells: Any, capsys: Any) -> None:
    first, second = (sample_cells.cell(seed=seed) for seed in (1, 2))
    record = sample_cells.build(first) / "cell.json"
    sample_cells.build(second)
    record.write_text("{")
    assert cli.main(["gates", "--results", str(sample_cells.results), "--write"]) == 1
    damaged, failed, *_, last = capsys.readouterr().out.splitlines()
    assert damaged.startswith(f"damaged: {record}: ")
    assert failed.startswith(f"failed: {second.id}: ")
    assert last == "1 cell judged, 1 excluded, 1 damaged"


def test_folders_of_excluded_cells_alone_are_printed_to_be_deleted(sample_cells: Any, capsys: Any) -> None:
    excluded, lost = (sample_cells.build(sample_cells.cell(seed=seed)) for seed in (1, 2))
    assert cli.main(["gates", "--results", str(sample_cells.results), "--folders"]) == 0
    assert capsys.readouterr().out.splitlines() == [str(excluded), str(lost)]
    (lost / "requests.parquet").unlink()
    assert cli.main(["gates", "--results", str(sample_cells.results), "--folders"]) == 1
    told = capsys.readouterr()
    assert told.out.splitlines() == [str(excluded)]
    assert told.err.startswith(f"damaged: {lost}/requests.parquet: ")
    assert (excluded / "cell.json").exists()


def test_the_cells_of_a_collection_are_not_to_be_deleted(sample_cells: Any, capsys: Any) -> None:
    sample_cells.build(sample_cells.cell())
    (sample_cells.results / "manifest.json").write_text("{}")
    assert cli.main(["gates", "--results", str(sample_cells.results), "--folders"]) == 1
    assert "is a collection" in capsys.readouterr().err
