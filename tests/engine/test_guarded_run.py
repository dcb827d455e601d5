"""A command that is waited for."""

import os
import time
from pathlib import Path

import pytest

from burstlab.engine.guarded_run import run_guarded
from burstlab.errors import BurstlabError


def shell(script: str, log: Path, timeout_s: float = 30.0) -> None:
    run_guarded(["sh", "-c", script], environment=os.environ, log=log, timeout_s=timeout_s)


def test_what_it_prints_goes_to_the_end_of_the_log(tmp_path: Path) -> None:
    log = tmp_path / "log"
    shell("echo one", log)
    shell("echo two >&2", log)
    assert log.read_text() == "one\ntwo\n"


def test_a_failure_is_told_by_its_last_line(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("of before\n")
    with pytest.raises(BurstlabError, match=r"sh -c failed \(exit status 3\): no session; log: .*/log"):
        shell("echo begun; echo no session; echo; exit 3", log)
    with pytest.raises(BurstlabError, match=r"exit status 1\): it said nothing"):
        shell("exit 1", log)


def test_one_that_does_not_end_is_ended_with_its_children(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"sh -c did not end within 0\.3 s"):
        shell(f"sleep 600 & echo $! > {tmp_path}/child; wait", tmp_path / "log", timeout_s=0.3)
    child = int((tmp_path / "child").read_text())
    assert ended(child)


def test_what_it_leaves_behind_is_ended_too(tmp_path: Path) -> None:
    shell(f"setsid sleep 600 & echo $! > {tmp_path}/child", tmp_path / "log")
    assert ended(int((tmp_path / "child").read_text()))


def ended(pid: int, patience_s: float = 10.0) -> bool:
    deadline = time.monotonic() + patience_s
    while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    return not Path(f"/proc/{pid}").exists()
