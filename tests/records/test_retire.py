from pathlib import Path
from typing import Any

import pytest

from burstlab.errors import BurstlabError
from burstlab.records.cell_record import check_folder
from burstlab.records.retire import retire


def test_a_cell_moves_whole(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    folder = sample_cells.build(cell)
    (folder / "notes").mkdir()
    target = retire(cell, sample_cells.results)
    assert target == sample_cells.results / "retired" / cell.id / "1"
    assert not folder.exists()
    check_folder(target, cell)
    assert (target / "notes").is_dir()


def test_twice_is_once(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    sample_cells.build(cell)
    retire(cell, sample_cells.results)
    assert retire(cell, sample_cells.results) is None
    sample_cells.folder(cell).mkdir()
    assert retire(cell, sample_cells.results) is None


def test_older_ones_stay(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    for number in ("1", "2", "3"):
        sample_cells.build(cell)
        target = retire(cell, sample_cells.results)
        assert target is not None
        assert target.name == number


def test_other_cells_stay(sample_cells: Any) -> None:
    one, other = sample_cells.cell(0), sample_cells.cell(1)
    sample_cells.build(one)
    sample_cells.build(other)
    retire(one, sample_cells.results)
    check_folder(sample_cells.folder(other), other)


def test_a_number_that_another_process_took_is_skipped(
    sample_cells: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    cell = sample_cells.cell()
    sample_cells.build(cell)
    taken = sample_cells.results / "retired" / cell.id / "1"
    taken.mkdir(parents=True)
    (taken / "kept").touch()
    exists = Path.exists
    monkeypatch.setattr(Path, "exists", lambda path: False if path == taken else exists(path))
    target = retire(cell, sample_cells.results)
    assert target is not None
    assert target.name == "2"
    assert [file.name for file in taken.iterdir()] == ["kept"]


def test_what_cannot_be_moved_is_an_error(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    folder = sample_cells.build(cell)
    (sample_cells.results / "retired").write_text("a file where the folder should be")
    with pytest.raises(BurstlabError, match="cannot be moved"):
        retire(cell, sample_cells.results)
    check_folder(folder, cell)
