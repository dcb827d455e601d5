"""The same cluster with job accounting, where a job needs an account that its user may charge."""

import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from tests.cluster import accounting
from tests.cluster import cluster as slurm
from tests.slurm.running import Running, cluster_arguments, jobs
from tests.workflow.workspace import Workspace

pytestmark = [pytest.mark.slurm, pytest.mark.engine]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """The running cluster, with its database."""
    lacking = slurm.missing(accounts=True)
    if lacking:
        pytest.fail(f"{', '.join(lacking)} not here: apt-get install {slurm.PACKAGES}, or -m 'not slurm'")
    slurm.start(accounts=True)
    yield slurm
    slurm.stop()


@pytest.fixture
def one_cell(study: dict[str, Any]) -> dict[str, Any]:
    """The shortest study, charged to an account."""
    study["platforms"]["cpu"]["slurm"] |= {"account": accounting.ACCOUNT}
    study["blocks"][0] |= {"burstiness": [1.0], "seeds": [0]}
    return study


def test_jobs_are_followed_through_sacct(cluster: Any) -> None:
    assert cluster_arguments() == ["--slurm-status-command", "sacct"]


def test_an_account_that_the_user_may_not_charge_is_refused_before_anything_is_submitted(
    workspace: Workspace, one_cell: dict[str, Any]
) -> None:
    one_cell["platforms"]["cpu"]["slurm"]["account"] = "servnig"
    run = Running(workspace, one_cell)
    assert run.wait() != 0
    assert "servnig" in run.output()
    assert jobs("all") == []


def test_a_cell_is_measured_and_its_job_charged(workspace: Workspace, one_cell: dict[str, Any]) -> None:
    run = Running(workspace, one_cell)
    assert run.wait() == 0, run.output()[-3000:]
    assert len(run.finished_cells()) == 1
    told = subprocess.run(
        ["sacct", "--allusers", "--allocations", "--noheader", "--parsable2", "--format=account,state"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert told.stdout.split() == [f"{accounting.ACCOUNT}|COMPLETED"]
