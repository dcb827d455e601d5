"""A profiled run keeps the tables of its own trace."""

import gzip
from pathlib import Path

import pytest
from tests.profiles.torch_made import two_iterations_on_a_cpu

from burstlab.errors import BurstlabError
from burstlab.profiles.store import read_iterations, read_launches
from burstlab.session.profile import forget_traces, keep_profile


@pytest.mark.parametrize("worker", ["rank0", "dp0_pp0_tp0_dcp0_ep0_rank0"])
def test_the_workers_trace_becomes_two_tables(tmp_path: Path, worker: str) -> None:
    traces, folder = tmp_path / "traces", tmp_path / "run"
    traces.mkdir()
    folder.mkdir()
    (traces / f"{worker}.17.pt.trace.json.gz").write_bytes(
        gzip.compress(two_iterations_on_a_cpu().text().encode())
    )
    (traces / "host_1.async_llm.16.pt.trace.json.gz").write_bytes(gzip.compress(b"{}"))
    keep_profile(traces, folder)
    assert read_iterations(folder / "profiled_iterations.parquet").num_rows == 2
    assert read_launches(folder / "kernels.parquet").num_rows > 0


def test_a_missing_trace_is_an_error_that_names_what_is_there(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="there is nothing"):
        keep_profile(tmp_path, tmp_path)
    (tmp_path / "other.txt").touch()
    with pytest.raises(BurstlabError, match=r"there is other\.txt"):
        keep_profile(tmp_path, tmp_path)


def test_traces_of_earlier_runs_are_forgotten(tmp_path: Path) -> None:
    (tmp_path / "rank0.1.pt.trace.json.gz").touch()
    forget_traces(tmp_path)
    assert list(tmp_path.iterdir()) == []
