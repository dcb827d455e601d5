"""A real SLURM of one node, for as long as the tests of a module take."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.cluster import cluster as slurm
from tests.workflow.conftest import short_study
from tests.workflow.workspace import Workspace


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """The running cluster, as the module that starts and stops it."""
    if slurm.missing():
        pytest.fail(
            f"{', '.join(slurm.missing())} not here: apt-get install slurm-wlm munge, or -m 'not slurm'"
        )
    slurm.start()
    yield slurm
    slurm.stop()


@pytest.fixture(scope="module")
def workspace(root: Path, tmp_path_factory: pytest.TempPathFactory, cluster: Any) -> Workspace:
    """A new folder of a user of the cluster; the tests of a module share it, in order."""
    folder = tmp_path_factory.mktemp("cluster")
    for name in (".envs", "envs", "resources"):
        (folder / name).symlink_to(root / name)
    return Workspace(folder, root)


@pytest.fixture
def study() -> dict[str, Any]:
    """Four cells of some seconds on one engine, as jobs."""
    study = short_study()
    study["platforms"]["cpu"] |= {"cores": 2, "slurm": {"runtime_minutes": 30, "memory_gib": 6}}
    study["blocks"][0] |= {"burstiness": [1.0, 0.5], "traces": [], "seeds": [0, 1]}
    return study
