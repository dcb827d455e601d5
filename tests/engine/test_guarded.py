"""However its owner ends, a guarded command takes its whole tree of children with it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from burstlab.engine import leftovers
from burstlab.engine.guarded import Guarded

# A command with a grandchild that ignores SIGTERM and leaves its parent's session: the worst an engine could do.
STUBBORN = """
import os, signal, sys, time
if os.fork() == 0:
    os.setsid()
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
open(sys.argv[1] + "/" + str(os.getpid()), "w").close()
time.sleep(600)
"""

OWNER = """
import os, sys, time
from pathlib import Path
from burstlab.engine.guarded import Guarded
g = Guarded([sys.executable, "-c", Path(sys.argv[1]).read_text(), sys.argv[2]], environment=os.environ, log=Path(sys.argv[3]))
print(g.pid, flush=True)
time.sleep(600)
"""


def wait_until(condition: Callable[[], bool], seconds: float = 15.0) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def tree_in(folder: Path) -> list[int]:
    assert wait_until(lambda: len(list(folder.iterdir())) == 2), "the command did not start its child"
    return [int(path.name) for path in folder.iterdir()]


@pytest.fixture
def pids(tmp_path: Path) -> Path:
    folder = tmp_path / "pids"
    folder.mkdir()
    return folder


@pytest.fixture
def owner(tmp_path: Path, pids: Path) -> subprocess.Popen[str]:
    """A session-like process that guards the stubborn command."""
    script = tmp_path / "stubborn.py"
    script.write_text(STUBBORN)
    return subprocess.Popen(
        [sys.executable, "-c", OWNER, str(script), str(pids), str(tmp_path / "log")],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(leftovers.__file__).parents[2])},
    )


def test_stopping_ends_even_a_grandchild_that_ignores_sigterm(tmp_path: Path, pids: Path) -> None:
    with Guarded(
        [sys.executable, "-c", STUBBORN, str(pids)], environment=os.environ, log=tmp_path / "log"
    ) as guarded:
        tree = tree_in(pids)
        assert all(map(running, tree))
    assert guarded.exit_status() is not None
    assert not any(map(running, tree))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGSEGV])
def test_no_process_outlives_an_owner_ended_by_a_signal(
    owner: subprocess.Popen[str], pids: Path, number: signal.Signals
) -> None:
    tree = tree_in(pids)
    owner.send_signal(number)
    owner.communicate()
    assert wait_until(lambda: not any(map(running, tree)))


def test_a_killed_guardian_takes_its_command_along_and_the_rest_is_found_as_leftovers(
    owner: subprocess.Popen[str], pids: Path
) -> None:
    assert owner.stdout is not None
    guardian_pid = int(owner.stdout.readline())
    tree = tree_in(pids)
    os.kill(guardian_pid, signal.SIGKILL)
    owner.kill()
    owner.communicate()
    assert wait_until(lambda: sum(map(running, tree)) == 1), "the direct child dies with its parent"
    survivor = next(filter(running, tree))
    assert survivor in leftovers.find()
    assert survivor in leftovers.end_all()
    assert not running(survivor)


def test_the_processes_of_a_running_owner_are_no_leftovers(owner: subprocess.Popen[str], pids: Path) -> None:
    tree = tree_in(pids)
    assert not set(tree) & set(leftovers.find())
    owner.kill()
    owner.communicate()
    assert wait_until(lambda: not any(map(running, tree)))


def test_the_exit_status_of_the_command_is_passed_on(tmp_path: Path) -> None:
    with Guarded(
        [sys.executable, "-c", "raise SystemExit(7)"], environment=os.environ, log=tmp_path / "log"
    ) as guarded:
        assert wait_until(lambda: guarded.exit_status() is not None)
        assert guarded.exit_status() == 7


def test_what_the_command_prints_goes_to_the_log(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "import sys; print('out'); print('err', file=sys.stderr)"]
    with Guarded(command, environment=os.environ, log=tmp_path / "log") as guarded:
        assert wait_until(lambda: guarded.exit_status() is not None)
    assert sorted((tmp_path / "log").read_text().split()) == ["err", "out"]


def test_a_command_with_pipes_answers_on_them(tmp_path: Path) -> None:
    command = [sys.executable, "-c", "print(input()[::-1])"]
    with Guarded(command, environment=os.environ, log=tmp_path / "log", pipes=True) as guarded:
        guarded.stdin.write(b"burst\n")
        guarded.stdin.flush()
        assert guarded.stdout.readline() == b"tsrub\n"


def test_a_session_in_another_pid_namespace_is_left_alone() -> None:
    # As seen from outside a container: an owner whose process id means another process here, or none.
    environment = {**os.environ, leftovers.OWNER: "1:12345:pid:[1]"}
    command = [sys.executable, "-c", "print(flush=True); import time; time.sleep(600)"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE) as stranger:
        assert stranger.stdout is not None
        stranger.stdout.readline()
        assert stranger.pid not in leftovers.find()
        stranger.kill()
