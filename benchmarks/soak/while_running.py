"""Faults that strike a workflow while it runs. Each takes the soak's scene and says what it did."""

import contextlib
import os
import random
import signal
import socket
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from wall_clock import WallClock
from workspace import Run, Workspace


@dataclass
class Scene:
    """What a fault may touch."""

    workspace: Workspace
    run: Run
    chance: random.Random
    clock: WallClock | None = None


def _kill(scene: Scene, name: str, *words: str) -> str:
    victims = scene.run.processes(*words)
    for victim in victims:
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
    return f"killed {name} ({len(victims)} processes)"


def kill_workflow(scene: Scene) -> str:
    """SIGKILL of the workflow's main process."""
    scene.run.process.kill()
    return "killed the workflow"


def kill_session(scene: Scene) -> str:
    """SIGKILL of the session's job."""
    return _kill(scene, "the session", ".session.py")


def kill_engine(scene: Scene) -> str:
    """SIGKILL of server and engine core."""
    return _kill(scene, "the engine", "cli.main serve", "VLLM::")


def kill_client(scene: Scene) -> str:
    """SIGKILL of the warm client."""
    return _kill(scene, "the client", "warm_client")


def kill_guardian(scene: Scene) -> str:
    """SIGKILL of those who watch server and client."""
    return _kill(scene, "the guardians", "guardian")


def terminate_workflow(scene: Scene) -> str:
    """SIGTERM, as a batch system sends it."""
    scene.run.process.terminate()
    return "terminated the workflow"


def interrupt_workflow(scene: Scene) -> str:
    """SIGINT, as Ctrl-C sends it."""
    scene.run.process.send_signal(signal.SIGINT)
    return "interrupted the workflow"


def fill_disk(scene: Scene) -> str:
    """Leave no byte on the file system of the study until the workflow ends."""
    filler = scene.workspace.folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"\0" * 65536)
    _wait(scene.run, 60)
    scene.run.process.terminate()
    _wait(scene.run, 30)
    filler.unlink()
    return "filled the disk"


def take_port(scene: Scene) -> str:
    """Bind the port that the engine was told to use, before it does."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline and scene.run.process.poll() is None:
        for pid in scene.run.processes("cli.main serve"):
            with contextlib.suppress(OSError, ValueError):
                line = Path(f"/proc/{pid}/cmdline").read_text().split("\0")
                port = int(line[line.index("--port") + 1])
                with socket.socket() as taken:
                    taken.bind(("127.0.0.1", port))
                    taken.listen()
                    _wait(scene.run, 60)
                return f"took the engine's port (the workflow ended: {scene.run.process.poll() is not None})"
        time.sleep(0.05)
    return "found no port to take"


def step_clock(scene: Scene) -> str:
    """Move the wall clock of all the run's processes by an hour, forth or back."""
    assert scene.clock is not None, "without a clock this fault is left out"
    step_s = scene.chance.choice((3600, -3600))
    scene.clock.step(step_s)
    _wait(scene.run, scene.chance.uniform(5, 25))
    return f"stepped the clock by {step_s:+} s"


def start_in_same_folder(scene: Scene) -> str:
    """A second workflow in the same folder: it must refuse at once and say why."""
    second = scene.workspace.start()
    second.process.wait(timeout=120)
    refused = second.process.returncode != 0
    assert refused or scene.run.process.poll() is not None, "two workflows ran in one folder"
    assert not refused or "already" in second.said() or "another" in second.said(), second.said()[-1000:]
    return f"started a second workflow in the folder (refused: {refused})"


def start_in_other_folder(scene: Scene) -> str:
    """A second study on the same device: never two engines at once."""
    with tempfile.TemporaryDirectory() as name:
        other = Workspace(Path(name), 1, scene.workspace.leases, Path(name))
        second = other.start()
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            engines = [run.processes("cli.main serve") for run in (scene.run, second)]
            assert not all(engines), "two engines ran on one device"
            time.sleep(0.2)
        second.process.terminate()
        _wait(second, 30)
        second.seconds_until_gone()
    return "started a second study on the device"


def _wait(run: Run, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and run.process.poll() is None:
        time.sleep(0.1)


FAULTS: dict[str, Callable[[Scene], str]] = {
    "kill-workflow": kill_workflow,
    "kill-session": kill_session,
    "kill-engine": kill_engine,
    "kill-client": kill_client,
    "kill-guardian": kill_guardian,
    "terminate": terminate_workflow,
    "interrupt": interrupt_workflow,
    "full-disk": fill_disk,
    "port-taken": take_port,
    "clock-step": step_clock,
    "same-folder": start_in_same_folder,
    "other-folder": start_in_other_folder,
}
