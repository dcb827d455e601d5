"""Simulated cells in a collection: they keep their platform's name, and a study's own come before them."""

from pathlib import Path
from typing import Any

import pytest
from tests.simulated_study import in_folder, simulated_config

from burstlab.collections import collect as collect_module
from burstlab.collections.collect import collect
from burstlab.collections.members import collected_cells, collected_exact_batches
from burstlab.errors import BurstlabError
from burstlab.exact_batches.simulated import simulate_from_workflow
from burstlab.exact_batches.targets import engines_simulated, times_file
from burstlab.records.cell_record import check_folder
from burstlab.session.places import Places
from burstlab.session.simulate import simulate_cell
from burstlab.study.expand import cells
from burstlab.study.profiled import runs_of
from burstlab.study.schema import Study


def config() -> dict[str, Any]:
    one = simulated_config(collections="all")
    one["blocks"][0] |= {"engines": ["old"], "seeds": [0]}
    return one


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(collect_module, "draw", lambda *_: None)
    found = in_folder(tmp_path, config())
    for cell in cells(found):
        simulate_cell(found, cell, Places())
    return found


def test_what_is_simulated_needs_no_name_of_a_machine_and_is_copied_as_it_is(study: Study) -> None:
    manifest = collect(study, "shipped", {}, simulated=True)
    assert manifest.evidence == ("simulated",)
    assert manifest.hardware == ()
    for cell in cells(study):
        copy = study.root / "collections/shipped/cells" / cell.id
        check_folder(copy, cell)
        for path in Places().cell(cell).iterdir():
            assert (copy / path.name).read_bytes() == path.read_bytes()


def test_it_is_left_out_unless_asked_for(study: Study) -> None:
    with pytest.raises(
        BurstlabError, match="has no cells but simulated ones: add --simulated to collect them"
    ):
        collect(study, "shipped", {})


@pytest.mark.parametrize("simulated", [True, False])
def test_profiled_runs_that_are_simulated_are_left_out_likewise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, simulated: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(collect_module, "draw", lambda *_: None)
    asked = config()
    asked["profiles"] = {"requests": 20, "blocks": asked["blocks"]}
    found = in_folder(tmp_path, asked)
    runs = runs_of(found)
    for cell in cells(found):
        simulate_cell(found, cell, Places())
    for run in cells(runs):
        simulate_cell(runs, run, Places().of_profiles())
    if not simulated:
        with pytest.raises(BurstlabError, match="no cells but simulated ones"):
            collect(found, "shipped", {})
        return
    manifest = collect(found, "shipped", {}, simulated=True)
    assert len(manifest.profiled_records) == len(cells(runs))
    kernels = tmp_path / "collections/shipped/profiles/cells" / cells(runs)[0].id / "kernels.parquet"
    assert kernels.is_file()


def test_it_cannot_be_named_after_a_machine(study: Study) -> None:
    with pytest.raises(BurstlabError, match="gh200-simulated is simulated, and keeps its name"):
        collect(study, "shipped", {"gh200-simulated": "gh200"}, simulated=True)


def test_a_cell_that_the_study_simulates_itself_is_not_taken_from_a_collection(study: Study) -> None:
    collect(study, "shipped", {}, simulated=True)
    all_of_them = cells(study)
    index = study.root / "index.json"
    assert collected_cells(study, all_of_them, index) == ()
    others = collected_cells(study, all_of_them[:1], index)
    assert {cell.id for cell in others} == {cell.id for cell in all_of_them[1:]}


def test_exact_batches_of_a_simulated_engine_go_along_and_give_way_to_the_studys_own(study: Study) -> None:
    (engine,) = engines_simulated(study, cells(study))
    own = times_file(study, engine)
    simulate_from_workflow(
        config=config(),
        engines=[(engine.platform, engine.model, engine.engine)],
        outputs=[study.root / own],
        log=study.root / "log",
    )
    collect(study, "shipped", {}, simulated=True)
    (collected,) = collected_exact_batches(study)
    assert (study.root / collected).read_text() == (study.root / own).read_text()
    assert collected_exact_batches(study, [own]) == []
