"""A profiled run keeps the tables of its own trace."""

from pathlib import Path

import pytest
from tests.profiles.torch_made import two_iterations_on_a_cpu

from burstlab.profiles.store import read_iterations, read_launches
from burstlab.session.profile import keep_profile
from burstlab.session.recorder import TorchRecorder


@pytest.fixture
def recorder(tmp_path: Path) -> TorchRecorder:
    folder = tmp_path / "traces"
    folder.mkdir()
    two_iterations_on_a_cpu().write(folder / "rank0.17.pt.trace.json")
    return TorchRecorder(folder)


def test_the_trace_becomes_two_tables(tmp_path: Path, recorder: TorchRecorder) -> None:
    folder = tmp_path / "run"
    folder.mkdir()
    keep_profile(recorder, folder)
    assert read_iterations(folder / "profiled_iterations.parquet").num_rows == 2
    assert read_launches(folder / "kernels.parquet").num_rows > 0


def test_the_trace_itself_goes_where_it_is_wanted(tmp_path: Path, recorder: TorchRecorder) -> None:
    content = recorder.trace().read_bytes()
    keep_profile(recorder, tmp_path, tmp_path / "kept/run")
    assert (tmp_path / "kept/run/rank0.17.pt.trace.json").read_bytes() == content
    assert list(recorder.folder.iterdir()) == []
