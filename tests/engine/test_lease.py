"""A device is held by one session at a time, and a session holds all that it needs or nothing."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from burstlab.engine import lease as lease_module
from burstlab.engine.lease import lease
from burstlab.errors import BurstlabError

HOLDER = """
import sys, time
from burstlab.engine.lease import lease
with lease(["0"], 1, wait_s=0, say=print):
    print("held", flush=True)
    time.sleep(600)
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BURSTLAB_LEASES", str(tmp_path))
    return tmp_path


def silent(_: str) -> None:
    pass


def test_two_sessions_get_two_different_gpus() -> None:
    with (
        lease(["0", "1"], 1, wait_s=0, say=silent) as first,
        lease(["0", "1"], 1, wait_s=0, say=silent) as second,
    ):
        assert (first, second) == (["0"], ["1"])


def test_a_third_session_gets_an_error_that_names_devices_and_holder() -> None:
    with (
        lease(["0", "1"], 2, wait_s=0, say=silent),
        pytest.raises(BurstlabError, match=rf"no free device.*0 \(process {os.getpid()}\), 1"),
        lease(["0", "1"], 1, wait_s=0, say=silent),
    ):
        pass


def test_a_session_that_waits_says_so_once_and_then_gets_the_device() -> None:
    said: list[str] = []
    first = lease(["0"], 1, wait_s=0, say=silent)
    first.__enter__()

    def release(message: str) -> None:
        said.append(message)
        first.__exit__(None, None, None)

    with lease(["0"], 1, wait_s=5, say=release, poll_s=0.01) as held:
        assert held == ["0"]
    assert len(said) == 1
    assert "waiting for a free device" in said[0]


def test_a_session_that_needs_two_gpus_does_not_sit_on_one() -> None:
    with lease(["1"], 1, wait_s=0, say=silent):
        with pytest.raises(BurstlabError), lease(["0", "1"], 2, wait_s=0, say=silent):
            pass
        with lease(["0"], 1, wait_s=0, say=silent) as held:
            assert held == ["0"]


def test_asking_for_more_gpus_than_there_are_is_an_error_at_once() -> None:
    with (
        pytest.raises(BurstlabError, match="asks for 2 GPUs, this machine offers 1"),
        lease(["0"], 2, wait_s=99, say=silent),
    ):
        pass


def test_a_killed_holder_gives_its_device_back() -> None:
    path = str(Path(lease_module.__file__).parents[2])
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDER], stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": path}
    )
    assert holder.stdout is not None
    assert holder.stdout.readline() == b"held\n"
    holder.send_signal(signal.SIGKILL)
    holder.communicate()
    with lease(["0"], 1, wait_s=0, say=silent) as held:
        assert held == ["0"]
