"""Profiled runs in a collection: they are there beside the cells, and figures and tables are made of them again."""

from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from burstlab.collections import collect as collect_module
from burstlab.collections.collect import collect
from burstlab.collections.compare import compare
from burstlab.collections.manifest import check_manifest
from burstlab.collections.members import collected_cells, collected_exact_batches, collected_runs
from burstlab.errors import BurstlabError
from burstlab.exact_batches.record import build_table
from burstlab.study.load import load_study


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Figures take most of the time."""
    monkeypatch.setattr(collect_module, "draw", lambda *_: None)


def shipped(study: Any) -> Path:
    collect(study.study, "shipped", {"cpu": "xeon"})
    folder: Path = study.root / "collections/shipped"
    return folder


def test_runs_are_there_with_all_that_was_recorded(recorded: Any, undrawn: None) -> None:
    folder = shipped(recorded)
    manifest = check_manifest(folder)
    names = [run.id.replace("cpu/", "xeon/") for run in recorded.runs]
    assert list(manifest.profiled_records) == sorted(f"profiles/cells/{name}/cell.json" for name in names)
    assert len(manifest.records) == len(recorded.cells)
    for run, name in zip(recorded.runs, names, strict=True):
        for file in ("kernels.parquet", "profiled_iterations.parquet"):
            before = (recorded.run_folder(run) / file).read_bytes()
            assert (folder / "profiles/cells" / name / file).read_bytes() == before


def test_a_run_that_is_missing_stops_it(recorded: Any, undrawn: None) -> None:
    (recorded.run_folder(recorded.runs[0]) / "cell.json").unlink()
    with pytest.raises(BurstlabError, match="1 of 2 profiled runs of the study are not measured as it asks"):
        shipped(recorded)


def test_its_runs_join_a_study_as_its_cells_do(recorded: Any, undrawn: None) -> None:
    shipped(recorded)
    study = load_study({"name": "s", "mode": "cached", "collections": ["shipped"]}, [], recorded.root)
    index = recorded.root / "index.json"
    runs = collected_runs(study, (), index)
    assert [run.record for run in runs] == sorted(
        f"collections/shipped/profiles/cells/{run.id.replace('cpu/', 'xeon/')}/cell.json"
        for run in recorded.runs
    )
    assert {run.group for run in runs} == {cell.group for cell in collected_cells(study, (), index)}


def test_a_run_that_the_configuration_asks_for_too_is_there_twice(recorded: Any, undrawn: None) -> None:
    collect(recorded.study, "shipped", {"cpu": "cpu"})
    study = load_study({**recorded.config, "collections": ["shipped"]}, [], recorded.root)
    with pytest.raises(
        BurstlabError, match=r"is there twice: results/profiles/cells/.*for which the configuration"
    ):
        collected_runs(study, recorded.runs, recorded.root / "index.json")


def test_figures_and_tables_are_of_its_runs(recorded: Any) -> None:
    folder = shipped(recorded)
    for table in ("interference", "breakdown"):
        cells = set(pq.read_table(folder / f"tables/{table}.parquet")["cell"].to_pylist())
        assert cells == {run.id.replace("cpu/", "xeon/") for run in recorded.runs}
    for figure in ("fig5", "figK"):
        assert (folder / f"figures/{figure}/xeon--tiny--eager--talk.svg").is_file()
    assert compare(folder, folder).differences == []
    (folder / "figures/figK/xeon--tiny--eager--talk.csv").unlink()
    (difference,) = compare(folder, folder).differences
    assert difference.startswith("figures/figK/xeon--tiny--eager--talk.csv: ")


def test_times_of_exact_batches_go_along_under_the_machines_name(timed: Any, undrawn: None) -> None:
    folder = shipped(timed)
    (path,) = check_manifest(folder).exact_batches
    assert path.startswith("profiles/exact_batches/xeon/tiny/eager-")
    study = load_study({"name": "s", "mode": "cached", "collections": ["shipped"]}, [], timed.root)
    assert collected_exact_batches(study) == [f"collections/shipped/{path}"]
    build_table([folder / path], timed.root)
    table = pq.read_table(timed.root / "exact_batches.parquet").to_pandas()
    assert set(table["platform"]) == {"xeon"}
    assert dict(zip(table["arm"], table["ms"], strict=True)) == {"decode": 5.0, "chunk": 2.0, "mixed": 8.0}


def test_a_damaged_file_of_times_stops_it(timed: Any, undrawn: None) -> None:
    next((timed.root / "results/profiles/exact_batches").rglob("*.json")).write_text("{}")
    with pytest.raises(BurstlabError, match="not the times of exact batches"):
        shipped(timed)


def test_the_same_times_in_two_collections_are_shown_once(timed: Any, undrawn: None) -> None:
    for name in ("again", "shipped"):
        collect(timed.study, name, {"cpu": "xeon"})
    study = load_study({"name": "s", "mode": "cached", "collections": "all"}, [], timed.root)
    (path,) = collected_exact_batches(study)
    assert path.startswith("collections/again/profiles/exact_batches/xeon/tiny/eager-")


def test_other_times_of_the_same_engine_are_an_error_that_names_both(timed: Any, undrawn: None) -> None:
    shipped(timed)
    study = load_study({"name": "s", "mode": "cached", "collections": ["shipped"]}, [], timed.root)
    own = "results/profiles/exact_batches/xeon/tiny/eager-000000000000.json"
    with pytest.raises(BurstlabError, match="exact batches of xeon/tiny/eager were timed twice") as caught:
        collected_exact_batches(study, [own])
    assert f"{own}; and collections/shipped/profiles/exact_batches/xeon/tiny/eager-" in str(caught.value)
    other = "results/profiles/exact_batches/cpu/tiny/eager-000000000000.json"
    assert len(collected_exact_batches(study, [other])) == 1
