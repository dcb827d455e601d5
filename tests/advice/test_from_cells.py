"""Costs fitted to the measured cells that ship."""

from pathlib import Path

import pytest

from burstlab.advice.from_cells import fitted_engine, lengths_of, measured_cells
from burstlab.errors import BurstlabError

CELLS = Path(__file__).parents[2] / "collections/default/cells"
GDN = (None, "tiny-gdn", None)


def test_the_fit_says_what_it_rests_on_and_how_far_off_it_is() -> None:
    cells = [cell for cell in measured_cells(CELLS, GDN) if cell.record.cell.seed == 0][:4]
    engine = fitted_engine(cells)
    assert engine.cells == 4
    assert 0 < engine.typical_error < 0.2
    assert 0 < engine.sum_error < 0.5
    assert engine.policy.max_sequences == 64
    assert "fitted to" in engine.words()


def test_no_cell_that_sends_all_at_once_or_is_excluded_is_among_them() -> None:
    cells = measured_cells(CELLS, GDN)
    assert all(cell.record.cell.rate < float("inf") and not cell.record.failed_gates for cell in cells)
    assert {cell.record.cell.model for cell in cells} == {"tiny-gdn"}


@pytest.mark.parametrize(
    ("wanted", "told"),
    [
        ((None, None, None), "several engines; choose one: .*--model tiny-gdn .*--model tiny-gqa"),
        ((None, "llama", None), "none of its .* There are: --platform .* --model tiny-gdn"),
    ],
)
def test_what_there_is_to_choose_from_is_listed(
    wanted: tuple[str | None, str | None, str | None], told: str
) -> None:
    with pytest.raises(BurstlabError, match=told):
        measured_cells(CELLS, wanted)


def test_a_folder_without_cells_and_no_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="There are: none"):
        measured_cells(tmp_path, GDN)
    with pytest.raises(BurstlabError, match="is no folder"):
        measured_cells(tmp_path / "x", GDN)


def test_no_performance_is_read_off_profiled_runs() -> None:
    collection = CELLS.parent
    assert [cell.folder for cell in measured_cells(collection, GDN)] == [
        cell.folder for cell in measured_cells(CELLS, GDN)
    ]
    with pytest.raises(BurstlabError, match="none of its 4 cells is measured, not profiled"):
        measured_cells(collection / "profiles/cells", GDN)


def test_cells_that_were_measured_anew_since_are_not_looked_at(tmp_path: Path) -> None:
    old = tmp_path / "retired/cpu/tiny-gdn/1/cell.json"
    old.parent.mkdir(parents=True)
    old.write_text("not JSON")
    with pytest.raises(BurstlabError, match="There are: none"):
        measured_cells(tmp_path, GDN)


def test_lengths_are_those_of_the_workload_that_is_named() -> None:
    cells = measured_cells(CELLS, GDN)
    with pytest.raises(BurstlabError, match="one of the cells' workloads: random-256-32"):
        lengths_of(cells)
    with pytest.raises(BurstlabError, match="--workload chat: not among the cells"):
        lengths_of(cells, "chat")
    prompts, outputs = lengths_of(cells, "random-256-32").draw(5, 0)
    assert set(outputs.tolist()) == {32}
    assert prompts.min() > 200
