import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from burstlab.records import index as cell_index
from burstlab.records import status as status_module
from burstlab.records.retire import retire
from burstlab.records.status import VALID, status
from burstlab.study.cells import Cell


class Checked:
    """Statuses of some cells, and how many of them were read in full the last time."""

    def __init__(self, sample_cells: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.sample = sample_cells
        self.cells = [sample_cells.cell(seed) for seed in range(3)]
        self.specifications = {cell: sample_cells.specification(cell) for cell in self.cells}
        self.index = sample_cells.results.parent / "state" / "index.json"
        self.read: list[Cell] = []
        check = status_module.check_folder
        monkeypatch.setattr(
            status_module, "check_folder", lambda folder, cell: self.read.append(cell) or check(folder, cell)
        )

    def states(self) -> list[str]:
        self.read.clear()
        return [verdict.state for verdict in self._verdicts().values()]

    def reason(self, cell: Cell) -> str:
        return self._verdicts()[cell].reason

    def _verdicts(self) -> Any:
        return status(self.cells, self.specifications, self.sample.results, self.index)


@pytest.fixture
def checked(sample_cells: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Checked]:
    """Three cells, settled at once: tests cannot wait for a clock."""
    monkeypatch.setattr(cell_index, "FRESH_NS", -10_000_000_000)
    found = Checked(sample_cells, monkeypatch)
    for cell in found.cells:
        sample_cells.build(cell)
    yield found


def test_nothing_there_is_missing(sample_cells: Any, tmp_path: Path) -> None:
    cell = sample_cells.cell()
    verdicts = status([cell], {cell: {}}, tmp_path / "none", tmp_path / "index.json")
    assert verdicts[cell].state == "missing"


def test_whole_cells_are_valid_and_read_once(checked: Checked) -> None:
    assert checked.states() == ["valid"] * 3
    assert checked.read == checked.cells
    assert checked.states() == ["valid"] * 3
    assert checked.read == []


def test_only_a_changed_cell_is_read_again(checked: Checked) -> None:
    checked.states()
    os.utime(checked.sample.folder(checked.cells[1]) / "requests.parquet")
    assert checked.states() == ["valid"] * 3
    assert checked.read == [checked.cells[1]]


@pytest.mark.parametrize(
    "name", ["cell.json", "bench.json", "requests.parquet", "iterations.parquet", "iterations.log.zst"]
)
def test_an_edited_file_is_stale_whatever_the_index_says(checked: Checked, name: str) -> None:
    checked.states()
    path = checked.sample.folder(checked.cells[0]) / name
    before = path.stat()
    data = path.read_bytes()
    # The same size and the same time stamp: only the inode's change time tells.
    path.write_bytes(data.replace(b"1", b"2"))
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    if path.read_bytes() == data:
        path.write_bytes(data[:-1] + b"?")
    assert checked.states() == ["stale", "valid", "valid"]
    assert checked.states() == ["stale", "valid", "valid"]


def test_a_lost_file_is_stale_and_a_lost_record_missing(checked: Checked) -> None:
    checked.states()
    (checked.sample.folder(checked.cells[0]) / "bench.json").unlink()
    (checked.sample.folder(checked.cells[1]) / "cell.json").unlink()
    assert checked.states() == ["stale", "missing", "valid"]
    assert checked.reason(checked.cells[0]) == "bench.json: is missing"


def test_a_truncated_file_says_so(checked: Checked) -> None:
    path = checked.sample.folder(checked.cells[0]) / "bench.json"
    size = path.stat().st_size
    path.write_bytes(path.read_bytes()[:120])
    assert checked.reason(checked.cells[0]) == f"bench.json: is 120 bytes, recorded {size}"


def test_a_changed_specification_is_stale_and_says_what_changed(checked: Checked) -> None:
    checked.states()
    cell = checked.cells[2]
    checked.specifications[cell]["engine"]["max_sequences"] = 32
    assert checked.states() == ["valid", "valid", "stale"]
    assert checked.reason(cell) == "specification changed: engine.max_sequences was 64, is 32"
    checked.specifications[cell]["engine"]["max_sequences"] = 64
    assert checked.states() == ["valid"] * 3


def test_a_folder_copied_onto_another_is_stale(checked: Checked) -> None:
    checked.states()
    first, second = (checked.sample.folder(cell) for cell in checked.cells[:2])
    shutil.rmtree(second)
    shutil.copytree(first, second)
    assert checked.states() == ["valid", "stale", "valid"]


def test_a_retired_cell_is_missing(checked: Checked) -> None:
    checked.states()
    retire(checked.cells[0], checked.sample.results)
    assert checked.states() == ["missing", "valid", "valid"]


def test_other_studies_keep_their_places_in_the_index(checked: Checked) -> None:
    checked.states()
    whole, checked.cells = checked.cells, checked.cells[:1]
    os.utime(checked.sample.folder(whole[0]) / "bench.json")
    checked.states()
    checked.cells = whole
    checked.states()
    assert checked.read == []


def test_files_as_fresh_as_the_clock_are_not_trusted_to_the_index(
    checked: Checked, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell_index, "FRESH_NS", 3_600_000_000_000)
    checked.states()
    checked.states()
    assert checked.read == checked.cells


def test_without_leave_to_write_an_index_it_works_without(checked: Checked) -> None:
    checked.index.parent.write_text("a file where the folder should be")
    assert checked.states() == ["valid"] * 3


GARBAGE = st.sampled_from(
    [b"", b"{", b"[]", b"null", b"\xff", b"[" * 100_000, b'{"format": 1}', b'{"format": 1, "cells": 3}']
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(GARBAGE | st.binary(max_size=50))
def test_a_damaged_index_costs_time_not_truth(checked: Checked, garbage: bytes) -> None:
    checked.index.parent.mkdir(exist_ok=True)
    checked.index.write_bytes(garbage)
    assert checked.states() == ["valid"] * 3
    assert checked.states() == ["valid"] * 3
    assert checked.read == []


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.none() | st.integers() | st.text() | st.lists(st.integers()))
def test_a_damaged_entry_costs_one_cell(checked: Checked, value: Any) -> None:
    checked.states()
    content = json.loads(checked.index.read_text())
    content["cells"][checked.cells[1].id] = value
    checked.index.write_text(json.dumps(content))
    assert checked.states() == ["valid"] * 3
    assert checked.read == [checked.cells[1]]


def test_a_valid_verdict_has_no_reason() -> None:
    assert VALID.reason == ""
