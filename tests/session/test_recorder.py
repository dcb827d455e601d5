"""torch's profiler as a recorder: the engine itself writes the trace."""

import subprocess
import sys
from pathlib import Path

import pytest

from burstlab.errors import BurstlabError
from burstlab.session.recorder import TorchRecorder


@pytest.mark.parametrize(
    "worker",
    [
        "rank0.17.pt.trace.json",
        "rank0.17.pt.trace.json.gz",
        "dp0_pp0_tp0_dcp0_ep0_rank0.17.pt.trace.json",
    ],
)
def test_the_trace_is_that_of_the_first_worker(tmp_path: Path, worker: str) -> None:
    for name in (worker, "host_1.async_llm.16.pt.trace.json.gz", "rank1.18.pt.trace.json"):
        (tmp_path / name).touch()
    recorder = TorchRecorder(tmp_path)
    assert recorder.trace() == tmp_path / worker
    assert (recorder.prefix, recorder.arguments, recorder.environment) == ([], [], {})


def test_on_a_cpu_the_worker_is_told_to_make_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/plug-ins")
    recorder = TorchRecorder(tmp_path, on_cpu=True)
    module, name = recorder.arguments[1].split(".")
    first, last = recorder.environment["PYTHONPATH"].split(":")
    assert (recorder.arguments[0], first) == ("--worker-extension-cls", "/plug-ins")
    # It loads where there is no vLLM, too.
    said = subprocess.run(
        [sys.executable, "-c", f"import {module}; print({module}.{name}())"],
        env={"PYTHONPATH": last},
        capture_output=True,
        text=True,
        check=True,
    )
    assert name in said.stdout


def test_a_missing_trace_is_an_error_that_names_what_is_there(tmp_path: Path) -> None:
    recorder = TorchRecorder(tmp_path)
    with pytest.raises(BurstlabError, match="there is nothing"):
        recorder.trace()
    (tmp_path / "other.txt").touch()
    with pytest.raises(BurstlabError, match=r"there is other\.txt"):
        recorder.trace()


def test_traces_of_earlier_runs_are_forgotten(tmp_path: Path) -> None:
    (tmp_path / "rank0.1.pt.trace.json").touch()
    with TorchRecorder(tmp_path).recording():
        assert list(tmp_path.iterdir()) == []
        (tmp_path / "rank0.2.pt.trace.json").touch()
    assert [path.name for path in tmp_path.iterdir()] == ["rank0.2.pt.trace.json"]
