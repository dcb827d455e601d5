"""A session ends in good order when it is told to, and when its workflow is gone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from burstlab.errors import BurstlabError
from burstlab.session import watch

SESSION = """
import sys, time
from burstlab.session.watch import end_with, leave_on_signals
leave_on_signals()
end_with(int(sys.argv[1]))
try:
    print("measuring", flush=True)
    time.sleep(600)
finally:
    print("cleaned up", flush=True)
"""


@pytest.fixture
def workflow() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])


@pytest.fixture
def session(workflow: subprocess.Popen[bytes]) -> subprocess.Popen[str]:
    started = subprocess.Popen(
        [sys.executable, "-c", SESSION, str(workflow.pid)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(watch.__file__).parents[2])},
    )
    assert started.stdout is not None
    assert started.stdout.readline() == "measuring\n"
    return started


def test_a_session_cleans_up_when_its_workflow_is_killed(
    session: subprocess.Popen[str], workflow: subprocess.Popen[bytes]
) -> None:
    workflow.send_signal(signal.SIGKILL)
    workflow.wait()
    output, _ = session.communicate(timeout=10)
    assert output == "cleaned up\n"
    assert session.returncode == 128 + signal.SIGTERM


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_session_cleans_up_on_signals(
    session: subprocess.Popen[str], workflow: subprocess.Popen[bytes], number: signal.Signals
) -> None:
    session.send_signal(number)
    output, _ = session.communicate(timeout=10)
    assert output == "cleaned up\n"
    assert session.returncode == 128 + number
    workflow.kill()
    workflow.wait()


def test_a_session_whose_workflow_is_already_gone_does_not_start() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    with pytest.raises(BurstlabError, match=r"has already ended"):
        watch.end_with(ended.pid)
