"""What a run has to measure: the study's cells in one folder, its profiled runs in another."""

from pathlib import Path

import pytest

from burstlab.records.status import Verdict
from burstlab.session.campaign import campaigns
from burstlab.study.load import read_study
from burstlab.study.schema import Study


@pytest.fixture
def study(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    monkeypatch.chdir(tmp_path)
    return read_study(root / "config/quick.yaml", root)


def test_cells_and_profiled_runs_share_no_file(study: Study) -> None:
    cells, runs = campaigns(study, of_a_job=False)
    assert not cells.of_profiles
    assert runs.of_profiles
    one = runs.cells[0]
    assert cells.record(one) == f"results/cells/{one.id}/cell.json"
    assert runs.record(one) == f"results/profiles/cells/{one.id}/cell.json"
    assert {cells.job(session) for session in cells.plan}.isdisjoint(
        runs.job(session) for session in runs.plan
    )
    assert (cells.logs, runs.logs) == ("logs/sessions", "logs/profiles")


def test_a_job_of_a_cluster_finds_the_sessions_of_its_run(study: Study) -> None:
    started = campaigns(study, of_a_job=False)
    for campaign in started:
        campaign.plan[:] = campaign.plan[:1]
        campaign.remember()
    found = campaigns(study, of_a_job=True)
    assert [campaign.plan for campaign in found] == [campaign.plan for campaign in started]


def test_numbers_of_cells_and_runs_in_words(study: Study) -> None:
    cells, runs = campaigns(study, of_a_job=False)
    assert (cells.what(1), runs.what(2)) == ("1 cell", "2 profiled runs")


def test_a_job_says_which_cells_it_replaces_and_why(study: Study) -> None:
    cells, runs = campaigns(study, of_a_job=False)
    session = next(one for one in cells.plan if one.model == "tiny-gqa")
    number = len(session.cells)
    assert cells.again() == []
    assert cells.message(session) == f"measuring {number} cells of {session.id}"
    old, run = session.cells[1], runs.cells[0]
    cells.status[old] = Verdict("stale", "specification changed: {rows: 500}")
    runs.status[run] = Verdict("stale", "kernels.parquet: is missing")
    assert cells.again() == [f"again: {old.id}: specification changed: {{rows: 500}}"]
    # Snakemake takes single braces for wildcards.
    assert cells.message(session).splitlines() == [
        f"measuring {number} cells of {session.id}, 1 of them again (what is there moves to results/retired/)",
        f"  again: {old.id}: specification changed: {{{{rows: 500}}}}",
    ]
    assert runs.message(runs.plan[0]).splitlines() == [
        f"measuring 1 profiled run of {runs.plan[0].id}, "
        "1 of them again (what is there moves to results/profiles/retired/)",
        f"  again: {run.id}: kernels.parquet: is missing",
    ]
