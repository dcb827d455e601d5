"""Environments are built for real here, from wheels made on the spot; the seconds go into `venv`."""

import json
import multiprocessing
import os
import platform
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from burstlab.environments import build as module
from burstlab.environments import pip
from burstlab.environments.build import (
    build,
    build_told,
    install_project,
    is_built,
    record_path,
    site_packages,
)
from burstlab.errors import BurstlabError

from .wheels import make_wheel, pin


def python_of(folder: Path, code: str) -> str:
    command = [folder / "bin" / "python", "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


@pytest.fixture
def lock(tmp_path: Path, wheelhouse: Path) -> Path:
    wheel = make_wheel(wheelhouse, "hello", "1.0", "said = 'hello'", requires=("torchvision",))
    folder = tmp_path / "envs"
    folder.mkdir()
    (folder / "engine.txt").write_text(pin(wheel))
    (folder / "environments.toml").write_text('[engine]\naliases = { vllm = "0.32.0+cpu" }\n')
    return folder / "engine.txt"


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Makes building instant, for what does not depend on pip; lists the folders that were built."""
    built: list[Path] = []

    def create(self: object, folder: Path) -> None:
        site_packages(folder).mkdir(parents=True)
        (folder / "bin").mkdir()
        (folder / "bin" / "python").touch()
        built.append(folder)

    monkeypatch.setattr("venv.EnvBuilder.create", create)
    monkeypatch.setattr(pip, "install", lambda folder, arguments, keep_open=(): (True, ""))
    return built


def test_it_has_what_the_lock_says_and_nothing_that_a_package_asks_for(lock: Path, tmp_path: Path) -> None:
    folder = tmp_path / ".envs" / "engine"
    record = build("engine", lock, folder)
    assert python_of(folder, "import hello; print(hello.said)") == "hello"
    written = json.loads(record.read_text())
    assert written["packages"].keys() >= {"hello", "vllm"}
    assert "torchvision" not in written["packages"]
    assert written["environment"] == "engine"
    assert written["python"] == platform.python_version()
    assert python_of(folder, "from importlib.metadata import version as v; print(v('vllm'))") == "0.32.0+cpu"


def test_a_constraint_that_the_user_has_set_does_not_come_between(
    lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "constraints.txt").write_text("hello<1\n")
    (tmp_path / "pip.conf").write_text(f"[global]\nconstraint = {tmp_path / 'constraints.txt'}\n")
    monkeypatch.setenv("PIP_CONFIG_FILE", str(tmp_path / "pip.conf"))
    assert build("engine", lock, tmp_path / "engine").is_file()


def test_a_file_with_another_hash_is_refused_and_nothing_is_left(lock: Path, tmp_path: Path) -> None:
    make_wheel(tmp_path / "wheels", "hello", "1.0", "said = 'something else'")
    with pytest.raises(BurstlabError, match=r"engine: .*not the one that was locked[\s\S]*hello==1.0"):
        build("engine", lock, tmp_path / "engine")
    assert not (tmp_path / "engine").exists()


def test_what_is_found_nowhere_is_looked_for_at_the_fallback_index(
    lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wheel = tmp_path / "wheels" / "hello-1.0-py3-none-any.whl"
    index = tmp_path / "index" / "hello"
    index.mkdir(parents=True)
    wheel.rename(index / wheel.name)
    (index / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>')
    monkeypatch.setitem(module.FALLBACK_INDEXES, "pytorch-cpu", (tmp_path / "index").as_uri())
    monkeypatch.delenv("PIP_NO_INDEX")
    monkeypatch.setenv("PIP_INDEX_URL", (tmp_path / "wheels").as_uri())
    with pytest.raises(BurstlabError, match=r"no file of hello==1\.0"):
        build("engine", lock, tmp_path / "engine")
    (lock.parent / "environments.toml").write_text('[engine]\nfallback_index = "pytorch-cpu"\n')
    build("engine", lock, tmp_path / "engine")
    assert python_of(tmp_path / "engine", "import hello; print(hello.said)") == "hello"


def test_a_killed_build_is_started_afresh(lock: Path, tmp_path: Path) -> None:
    folder = tmp_path / "engine"
    worker = multiprocessing.get_context("spawn").Process(target=build, args=("engine", lock, folder))
    worker.start()
    deadline = time.monotonic() + 30
    while not (folder / "pyvenv.cfg").exists() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert worker.pid is not None
    os.kill(worker.pid, signal.SIGKILL)
    worker.join()
    (folder / "left-over").touch()
    assert not is_built(lock, folder)
    build("engine", lock, folder)
    assert is_built(lock, folder)
    assert not (folder / "left-over").exists()
    assert python_of(folder, "import hello; print(hello.said)") == "hello"


def test_a_built_environment_is_not_built_again(lock: Path, tmp_path: Path, instant: list[Path]) -> None:
    assert build("engine", lock, tmp_path / "a") == build("engine", lock, tmp_path / "a")
    assert instant == [tmp_path / "a"]


def test_a_lock_touched_but_unchanged_is_the_same_target(lock: Path, tmp_path: Path) -> None:
    before = record_path(lock, tmp_path)
    lock.write_text(lock.read_text())
    assert record_path(lock, tmp_path) == before


def test_a_changed_lock_is_another_target_and_its_build_replaces_the_old_one(
    lock: Path, tmp_path: Path, instant: list[Path]
) -> None:
    before = build("engine", lock, tmp_path / "a")
    lock.write_text(lock.read_text() + "# changed\n")
    after = build("engine", lock, tmp_path / "a")
    assert after != before
    assert not before.exists()
    assert len(instant) == 2


def test_a_changed_alias_is_another_target(lock: Path, tmp_path: Path) -> None:
    before = record_path(lock, tmp_path)
    (lock.parent / "environments.toml").write_text('[engine]\naliases = { vllm = "0.33.0" }\n')
    assert record_path(lock, tmp_path) != before


@pytest.mark.parametrize("spoil", ["move", "python", "truncate", "release"])
def test_an_environment_that_cannot_be_right_is_built_again(
    lock: Path, tmp_path: Path, instant: list[Path], spoil: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "a"
    record = build("engine", lock, folder)
    if spoil == "move":
        folder = folder.rename(tmp_path / "b")
    elif spoil == "python":
        (folder / "bin" / "python").unlink()
    elif spoil == "truncate":
        record.write_text(record.read_text()[:40])
    else:
        monkeypatch.setattr(platform, "python_version", lambda: "3.99.1")
    assert not is_built(lock, folder)
    build("engine", lock, folder)
    assert len(instant) == 2


def test_two_builds_at_the_same_time_build_once(lock: Path, tmp_path: Path, instant: list[Path]) -> None:
    threads = [threading.Thread(target=build, args=("engine", lock, tmp_path / "a")) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(instant) == 1


def test_a_python_that_the_lock_is_not_for_is_named(lock: Path, tmp_path: Path) -> None:
    (lock.parent / "environments.toml").write_text('[engine]\npython = ["3.5", "3.6"]\n')
    with pytest.raises(BurstlabError, match=rf"3\.5 to 3\.6.*{platform.python_version()}.*PYTHON="):
        build("engine", lock, tmp_path / "a")


def test_a_python_without_ensurepip_is_named_with_the_remedy(
    lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(BurstlabError, match="python3-venv"):
        build("engine", lock, tmp_path / "a")


def test_a_missing_lock_is_named(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"nowhere\.txt: no such lock file"):
        build("engine", tmp_path / "nowhere.txt", tmp_path / "a")


def test_a_full_disk_is_said(lock: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def create(self: object, folder: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("venv.EnvBuilder.create", create)
    with pytest.raises(BurstlabError, match=r"environment engine: .*No space left on device"):
        build("engine", lock, tmp_path / "a")


def test_the_project_is_installed_once_for_each_state_of_its_pyproject(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[object] = []

    def install(folder: Path, arguments: list[str]) -> tuple[bool, str]:
        calls.append(arguments)
        return True, ""

    monkeypatch.setattr(pip, "install", install)
    (tmp_path / "pyproject.toml").write_text("a")
    install_project(tmp_path, tmp_path / "venv")
    install_project(tmp_path, tmp_path / "venv")
    assert len(calls) == 1
    (tmp_path / "pyproject.toml").write_text("b")
    install_project(tmp_path, tmp_path / "venv")
    assert len(calls) == 2


def test_the_builder_runs_on_a_bare_python() -> None:
    """`make` uses it before anything is installed; -S leaves site-packages out."""
    workflow = Path(module.__file__).parents[2]
    command = [sys.executable, "-S", "-m", "burstlab.environments.build", "--help"]
    environment = {"PYTHONPATH": str(workflow)}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_who_waits_is_told_briefly_and_the_log_has_what_pip_said(
    lock: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "logs" / "engine.log"
    build_told("engine", lock, tmp_path / "engine", None, log)
    told = capfd.readouterr()
    assert told.out == ""
    assert len(told.err.splitlines()) == 2
    assert str(log) in told.err
    assert "Successfully installed hello-1.0" in log.read_text()
    build_told("engine", lock, tmp_path / "engine", None, log)
    assert capfd.readouterr() == ("", "")
    assert "Successfully installed hello-1.0" in log.read_text()


def test_a_failed_build_names_the_log(lock: Path, tmp_path: Path) -> None:
    make_wheel(tmp_path / "wheels", "hello", "1.0", "said = 'something else'")
    log = tmp_path / "engine.log"
    with pytest.raises(BurstlabError, match=rf"engine: [\s\S]*All that pip said: {log}"):
        build_told("engine", lock, tmp_path / "engine", None, log)
    assert "DO NOT MATCH THE HASHES" in log.read_text()
