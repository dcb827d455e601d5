"""Cached mode and collections, as Snakemake runs them: nothing can be measured, and nothing is left out in silence."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from burstlab.collections import collect as collect_module
from burstlab.collections.collect import collect

ROOT = Path(__file__).parents[2]
# Not 0, which Snakemake takes for no time at all.
LONG_AGO_S = 1_000_000_000


def snakemake(study: Any, config: dict[str, Any], *arguments: str) -> tuple[int, str]:
    """Exit status and output of a run of the workflow in the study's folder."""
    (study.root / "config.yaml").write_text(yaml.safe_dump(config))
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")]
    command += ["--directory", str(study.root), "--configfile", str(study.root / "config.yaml")]
    done = subprocess.run(
        [*command, "--cores", "2", *arguments],
        env=os.environ | {"PYTHONPATH": str(ROOT / "workflow")},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def undrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Collections of these tests come without figures."""
    monkeypatch.setattr(collect_module, "draw", lambda *_: None)


def test_a_missing_and_a_stale_cell_are_named_though_tables_are_there(measured: Any) -> None:
    missing, stale = measured.cells[:2]
    tables = measured.root / "results/tables"
    tables.mkdir()
    for name in ("cells.parquet", "requests.parquet", "iterations.parquet", "cells.csv"):
        (tables / name).write_text("older tables")
    (measured.folder(missing) / "cell.json").unlink()
    (measured.folder(stale) / "bench.json").write_text("{}")
    status, said = snakemake(measured, {**measured.config, "mode": "cached"}, "--dry-run")
    assert status == 1
    assert "2 of 4 cells are not in results/cells" in said
    assert f"{missing.id}: was not measured yet" in said
    assert f"{stale.id}: bench.json" in said
    assert "Traceback" not in said


def test_no_rule_can_measure_or_prepare_whatever_the_time_stamps_say(measured: Any) -> None:
    for cell in measured.cells:
        os.utime(measured.folder(cell) / "cell.json", (LONG_AGO_S, LONG_AGO_S))
    status, said = snakemake(measured, measured.config, "--config", "mode=cached", "--list-rules")
    assert status == 0, said
    rules = set(said.split())
    assert {"tables", "report_page"} <= rules
    made = ("session_", "environment", "model", "dataset")
    assert not [rule for rule in rules if rule.startswith(made)]
    status, said = snakemake(measured, {**measured.config, "mode": "cached"}, "--dry-run")
    assert status == 0, said
    assert "building the tables of 4 cells" in said


def test_mode_is_one_of_three_and_nothing_else(measured: Any) -> None:
    status, said = snakemake(measured, measured.config, "--dry-run", "--config", "mode=false")
    assert status == 1
    assert "mode = " in said
    assert "must be measure, cached or simulated" in said


def test_a_collections_cells_are_in_tables_and_figures_with_the_studys_own(
    measured: Any, undrawn: None
) -> None:
    collect(measured.study, "shipped", {"cpu": "xeon"})
    config = {**measured.config, "mode": "cached", "collections": ["shipped"]}
    figure = "results/figures/fig3/xeon--tiny--eager--talk.svg"
    status, said = snakemake(measured, config, figure, "results/figures/fig3/cpu--tiny--eager--talk.svg")
    assert status == 0, said
    cells = pd.read_parquet(measured.root / "results/tables/cells.parquet")
    assert list(cells.groupby("platform").size().items()) == [("cpu", 4), ("xeon", 4)]
    assert "synthetic-sharegpt" in (measured.root / figure).read_text()
    assert "Nothing to be done" in snakemake(measured, config, figure)[1]


def test_a_collections_profiled_runs_and_exact_batches_are_drawn_without_measuring(
    timed: Any, undrawn: None
) -> None:
    collect(timed.study, "shipped", {"cpu": "xeon"})
    config = {"name": "shipped", "mode": "cached", "collections": "all"}
    figures = [f"results/figures/{name}/xeon--tiny--eager--talk.svg" for name in ("fig5", "figK")]
    exact = "results/figures/figX/study.csv"
    status, said = snakemake(timed, config, *figures, exact)
    assert status == 0, said
    assert "building the tables of 2 profiled runs" in said
    assert "timing" not in said
    assert all((timed.root / figure).is_file() for figure in figures)
    runs = set(pd.read_parquet(timed.root / "results/tables/breakdown.parquet")["cell"])
    assert runs == {run.id.replace("cpu/", "xeon/") for run in timed.runs}
    (effect,) = pd.read_csv(timed.root / exact).to_dict("records")
    # 8 ms in one call are 1 ms more than 5 and 2 ms.
    assert (effect["platform"], effect["extra"], effect["evidence"]) == ("xeon", 0.2, "measured")
    assert "Nothing to be done" in snakemake(timed, config, *figures, exact)[1]


def test_the_report_of_a_collection_alone_says_where_its_cells_come_from(
    measured: Any, undrawn: None
) -> None:
    collect(measured.study, "shipped", {"cpu": "xeon"}, title="Four cells", origin="made <up> by a test")
    config = {"name": "shipped", "mode": "cached", "collections": "all"}
    status, said = snakemake(measured, config)
    assert status == 0, said
    page = (measured.root / "results/report.html").read_text()
    for text in ("Four cells", "made &lt;up&gt; by a test", "xeon", "synthetic-sharegpt", "vllm serve"):
        assert text in page
    assert set(pd.read_parquet(measured.root / "results/tables/cells.parquet")["platform"]) == {"xeon"}


def test_a_damaged_collection_stops_everything_before_it_begins(measured: Any, undrawn: None) -> None:
    collect(measured.study, "shipped", {"cpu": "xeon"})
    path = next((measured.root / "collections/shipped").rglob("requests.parquet"))
    path.unlink()
    config = {"name": "shipped", "mode": "cached", "collections": "all"}
    status, said = snakemake(measured, config, "--dry-run")
    assert status == 1
    assert f"{path.relative_to(measured.root / 'collections/shipped')}: is missing" in said
    assert "Traceback" not in said


def test_in_measuring_mode_old_time_stamps_and_a_lost_memory_measure_nothing(measured: Any) -> None:
    for cell in measured.cells:
        os.utime(measured.folder(cell) / "cell.json", (LONG_AGO_S, LONG_AGO_S))
    status, said = snakemake(measured, measured.config, "--dry-run")
    assert status == 0, said
    assert "measuring" not in said
    changed = {**measured.config, "engines": {"eager": {"environment": "mine", "max_sequences": 8}}}
    status, said = snakemake(measured, changed, "--dry-run")
    assert status == 0, said
    assert "measuring 4 cells" in said
