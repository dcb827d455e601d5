"""A real nsys: a program that opens ranges as vLLM does is recorded as a session records an engine, exported and read."""

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path

import pandas as pd
import pytest
from tests.profiles.nsys_real import PROGRAM, needs_nsys, ranges_library
from tests.records.sample_cells import SampleCells

from burstlab.engine.guarded import Guarded
from burstlab.engine.guardian import descendants_of
from burstlab.errors import BurstlabError
from burstlab.figures.registry import group_slug
from burstlab.figures.write import write_figures
from burstlab.profiles.profile import Profile
from burstlab.profiles.read import read_profile
from burstlab.profiles.run_tables import build_run_tables
from burstlab.profiles.store import write_iterations, write_launches
from burstlab.session.nsys_recorder import NsysRecorder

pytestmark = needs_nsys

PATIENCE_S = 60.0


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("nsys")
    (made / "traces").mkdir()
    return made


@pytest.fixture(scope="module")
def recorder(folder: Path) -> NsysRecorder:
    return NsysRecorder(folder / "traces", folder / "nsys.log")


@pytest.fixture(scope="module")
def program(folder: Path, recorder: NsysRecorder) -> Iterator[Guarded]:
    """The program under nsys."""
    with started(recorder, folder, "begun") as running:
        yield running


@contextmanager
def started(recorder: NsysRecorder, folder: Path, begun: str) -> Iterator[Guarded]:
    """The program under a recorder, once it opens ranges."""
    said = folder / begun
    command = [*recorder.prefix, sys.executable, "-c", PROGRAM, str(ranges_library(folder)), str(said)]
    with Guarded(command, environment=os.environ, log=folder / "program.log") as running:
        deadline = time.monotonic() + PATIENCE_S
        while not said.exists():
            assert running.exit_status() is None, (folder / "program.log").read_text()
            assert time.monotonic() < deadline, "the program did not begin"
            time.sleep(0.02)
        yield running


def recorded(recorder: NsysRecorder, seconds: float) -> Profile:
    with recorder.recording():
        time.sleep(seconds)
    # Without a GPU nothing is launched.
    return read_profile(recorder.trace(), need_launches=False)


@pytest.fixture(scope="module")
def profile(recorder: NsysRecorder, program: Guarded) -> Profile:
    """What was recorded in a while that is long enough for 256 iterations, on a slow machine too."""
    return recorded(recorder, 3.0)


def test_iterations_are_those_that_the_program_opened(profile: Profile) -> None:
    iterations = profile.iterations.to_pandas()
    assert len(iterations) > 20
    kinds = iterations["kind"].tolist()
    mixed = [place for place, kind in enumerate(kinds) if kind == "mixed"]
    assert set(kinds) == {"decode-only", "mixed"}
    # Every fifth, whenever it was that the recording began.
    assert {later - earlier for earlier, later in pairwise(mixed)} == {5}
    assert set(iterations.loc[mixed, "context_tokens"]) == {100}
    assert set(iterations["generation_tokens"]) == {4}
    # The program sleeps for at least so long in each, but the first and the last may not have been recorded whole.
    iterations = iterations.iloc[1:-1]
    assert (
        iterations["duration_us"] >= iterations["kind"].map({"mixed": 5000.0, "decode-only": 2000.0})
    ).all()
    assert iterations["begin_us"].is_monotonic_increasing


def test_what_was_recorded_goes_through_to_a_figure(profile: Profile, folder: Path) -> None:
    made = SampleCells(folder / "results")
    cell = made.cell(0)
    run = made.folder(cell)
    write_launches(run / "kernels.parquet", profile.launches)
    write_iterations(run / "profiled_iterations.parquet", profile.iterations)
    made.build(cell)
    build_run_tables([run / "cell.json"], folder / "tables")
    rows = pd.read_parquet(folder / "tables/breakdown.parquet")
    counted = Counter(profile.iterations["kind"].to_pylist())
    assert dict(zip(rows["kind"], rows["iterations"], strict=True)) == dict(counted)
    assert set(rows["part"]) == {"overhead"}
    write_figures("figK", folder / "tables", [cell.group], folder / "figures", {})
    drawn = folder / "figures" / f"{group_slug(cell.group)}.csv"
    assert set(pd.read_csv(drawn)["kind"]) == {"decode-only", "mixed"}


def test_a_second_run_has_only_its_own_iterations(
    profile: Profile, recorder: NsysRecorder, program: Guarded
) -> None:
    again = recorded(recorder, 0.5)
    assert 0 < again.iterations.num_rows < profile.iterations.num_rows
    assert program.exit_status() is None


def test_a_recording_that_is_thrown_away_leaves_the_session_usable(
    recorder: NsysRecorder, program: Guarded
) -> None:
    with pytest.raises(BurstlabError, match="the load failed"), recorder.recording():
        raise BurstlabError("the load failed")
    assert recorded(recorder, 0.5).iterations.num_rows > 0


def test_without_its_engine_nsys_says_so(folder: Path) -> None:
    with (
        pytest.raises(
            BurstlabError, match=r"nsys \w+ failed \(exit status 1\): .*session: burstlab-.*nsys\.log"
        ),
        NsysRecorder(folder / "traces", folder / "nsys.log").recording(),
    ):
        pass


def test_nothing_of_nsys_is_left_when_an_engine_ends_while_it_is_recorded(folder: Path) -> None:
    recorder = NsysRecorder(folder / "traces", folder / "nsys.log")
    with started(recorder, folder, "begun-again") as running:
        pids = descendants_of(running.pid)
        assert sum(b"nsys" in Path(f"/proc/{pid}/cmdline").read_bytes() for pid in pids) > 1
        with pytest.raises(BurstlabError, match="nsys stop failed"), recorder.recording():
            running.stop()
    assert [pid for pid in pids if Path(f"/proc/{pid}").exists()] == []
