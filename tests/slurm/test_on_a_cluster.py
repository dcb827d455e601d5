"""Real vLLM as jobs of a real SLURM, and what goes wrong there. The tests share one folder, in the order in which they stand."""

import json
import subprocess
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.slurm.running import Running, jobs
from tests.workflow.workspace import Workspace

pytestmark = [pytest.mark.slurm, pytest.mark.engine]


def contents(workspace: Workspace) -> dict[str, str]:
    """Digests of the files of finished cells. Snakemake gives the outputs of a job that ends well a new time stamp."""
    return {path: digest for path, (_, digest) in workspace.cells().items()}


def test_an_impossible_request_is_refused_before_anything_is_submitted(
    workspace: Workspace, study: dict[str, Any]
) -> None:
    study["platforms"]["cpu"]["slurm"] |= {"partition": "lnog", "runtime_minutes": 120}
    run = Running(workspace, study)
    assert run.wait() != 0
    assert "no partition lnog" in run.output()
    study["platforms"]["cpu"]["slurm"]["partition"] = "short"
    run = Running(workspace, study)
    assert run.wait() != 0
    assert "the partition's jobs may run 60 minutes" in run.output()
    assert jobs("all") == []


def test_a_full_scratch_disk_fails_the_session_by_name_and_makes_no_cell(
    workspace: Workspace, study: dict[str, Any], tmp_path: Path
) -> None:
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", str(tmp_path)], check=True)
    try:
        run = Running(workspace, study, "--retries", "0", BURSTLAB_SCRATCH=str(tmp_path))
        assert run.wait() != 0
    finally:
        subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)
    told = "".join(log.read_text() for log in workspace.folder.glob("logs/sessions/**/*.log"))
    assert "No space left on device" in run.output() + told
    assert run.finished_cells() == []


def test_one_run_survives_what_a_cluster_does_to_it(
    workspace: Workspace, study: dict[str, Any], cluster: Any, tmp_path: Path
) -> None:
    killed = Running(workspace, study)
    (left,) = killed.until(lambda: jobs("pending,running"))
    killed.kill()

    run = Running(workspace, study, TMPDIR=str(tmp_path))
    run.until(lambda: f"cancelled jobs that a killed run had left: {left}" in run.output())

    (job,) = run.until(lambda: [one for one in jobs() if one != left])
    cluster.end("slurmctld")
    cluster.start_controller()

    # A job cancelled in mid-session: the next attempt keeps what is finished.
    run.until(run.more_cells_than(0))
    subprocess.run(["scancel", job], check=True)
    (second,) = run.until(lambda: [one for one in jobs() if one not in (left, job)])
    kept = contents(workspace)
    assert 0 < len(run.finished_cells()) < 4

    # A node that dies in mid-session, its daemon and all: the job is queued again, under its number.
    run.until(run.is_starting_an_engine)
    cluster.kill_node()
    run.until(lambda: second not in jobs())
    cluster.start_node(clean=True)
    # SLURM waits two minutes before it starts the job again, since what ends it on the node may still be on its way.
    subprocess.run(["scontrol", "update", f"jobid={second}", "starttime=now+15"], check=True)
    run.until(lambda: second in jobs())

    # A time limit of a minute: the last attempt finishes.
    subprocess.run(["scontrol", "update", f"jobid={second}", "timelimit=1"], check=True)
    assert run.wait() == 0, run.output()[-3000:]
    assert kept.items() <= contents(workspace).items()
    assert len(run.finished_cells()) == 4
    assert list(tmp_path.glob("burstlab-*/cpu")) == [], "scratch is cleared"


def test_what_was_measured_there_is_a_study_like_any_other(
    workspace: Workspace, study: dict[str, Any]
) -> None:
    cells = pd.read_parquet(workspace.folder / "results/tables/cells.parquet")
    assert list(cells["evidence"]) == ["measured"] * 4
    assert (workspace.folder / "results/report.html").exists()
    for record in workspace.folder.glob("results/cells/**/cell.json"):
        commands = json.loads(record.read_text())["commands"]
        assert any(word.startswith("results/scratch/") for word in commands["client"])
    run = Running(workspace, study)
    assert run.wait() == 0
    assert "Nothing to be done" in run.output()
