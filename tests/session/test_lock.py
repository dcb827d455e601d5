"""One workflow a folder; a killed one does not leave the folder locked."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from burstlab.errors import BurstlabError
from burstlab.session import lock
from burstlab.session.lock import hold_workflow_lock

HOLDER = """
import sys, time
from pathlib import Path
from burstlab.session.lock import hold_workflow_lock
hold_workflow_lock(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".snakemake" / "burstlab" / "workflow.lock"


@pytest.fixture
def holder(path: Path) -> subprocess.Popen[bytes]:
    started = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(Path(lock.__file__).parents[2])},
    )
    assert started.stdout is not None
    assert started.stdout.readline() == b"held\n"
    return started


def test_a_second_workflow_is_told_who_holds_the_folder(holder: subprocess.Popen[bytes], path: Path) -> None:
    with pytest.raises(BurstlabError, match=rf"another workflow \(process {holder.pid}\) is running in .*"):
        hold_workflow_lock(path)
    holder.kill()
    holder.communicate()


def test_a_killed_workflow_leaves_no_lock(holder: subprocess.Popen[bytes], path: Path) -> None:
    holder.kill()
    holder.communicate()
    hold_workflow_lock(path)
