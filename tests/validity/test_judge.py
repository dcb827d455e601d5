"""A cell can be judged again from its folder."""

from pathlib import Path
from typing import Any

import pytest
from tests.records.sample_cells import SampleCells

from burstlab.errors import BurstlabError
from burstlab.records.cell_record import read_record
from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.judge import judge, judge_cell
from burstlab.validity.registry import GATES


@pytest.fixture
def sample_cells(tmp_path: Path) -> SampleCells:
    return SampleCells(tmp_path / "results")


def test_a_folder_gives_the_verdicts_that_were_recorded(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    asked = sample_cells.specification(cell)

    def verdicts(requests: Any, iterations: Any, lines: Any) -> tuple[Gate, ...]:
        return judge(
            Evidence(cell, "measured", asked, {"dtype": "float32"}, lines, None, requests, iterations)
        )

    folder = sample_cells.build(cell, gates=verdicts, engine_reported={"dtype": "float32"})
    recorded = read_record(folder / "cell.json").gates
    assert [gate.name for gate in recorded] == [gate.name for gate in GATES]
    assert judge_cell(folder) == recorded
    assert "requests-succeeded" in {gate.name for gate in recorded if gate.state == "failed"}


def test_verdicts_do_not_rest_on_those_in_the_record(sample_cells: Any) -> None:
    cell = sample_cells.cell()
    folder = sample_cells.build(cell, gates=(Gate(name="requests-succeeded", passed=True),))
    assert judge_cell(folder)[0].state == "failed"


def test_a_missing_table_is_named(sample_cells: Any) -> None:
    folder = sample_cells.build(sample_cells.cell())
    (folder / "requests.parquet").unlink()
    with pytest.raises(BurstlabError, match=r"requests\.parquet: cannot be read"):
        judge_cell(folder)


def test_names_are_distinct_and_every_gate_says_what_it_needs() -> None:
    assert len({gate.name for gate in GATES}) == len(GATES)
    assert all(gate.needs for gate in GATES)
