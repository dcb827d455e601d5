"""Traces of profilers and the tables made of them: what is read is possible, or the file is refused by its name."""

import gzip
import json
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.fuzzing import fuzzed, read_or_refused
from tests.fuzz.mutated_bytes import mutated
from tests.fuzz.mutated_json import mutated_json
from tests.profiles.nsys_made import two_iterations
from tests.profiles.torch_made import two_iterations_on_a_cpu, two_iterations_on_a_gpu

from burstlab.errors import BurstlabError
from burstlab.iterations.log import KINDS
from burstlab.profiles.breakdown import breakdown, unnamed
from burstlab.profiles.interference import interference
from burstlab.profiles.joining import joining
from burstlab.profiles.profile import Profile
from burstlab.profiles.read import read_profile
from burstlab.profiles.schema import ITERATIONS, LAUNCHES
from burstlab.profiles.store import read_iterations, read_launches, write_iterations, write_launches

TRACES = (two_iterations_on_a_cpu().text().encode(), two_iterations_on_a_gpu().text().encode())
ODD_VALUES = (
    None,
    -1,
    0,
    1,
    2**31,
    2**62,
    -(2**63),
    1.5,
    float("inf"),
    "",
    "one",
    b"\xff",
    "execute_context_9",
)

# Table, column and row of every value of the database.
PLACES = [
    (table, column, row + 1)
    for table, rows in two_iterations().tables.items()
    for row in range(len(rows))
    for column in rows[0]
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("profiles")


@pytest.fixture(scope="module")
def database(folder: Path) -> Path:
    return two_iterations().sqlite(folder / "valid.sqlite")


@pytest.fixture(scope="module")
def arrow(folder: Path) -> Path:
    return two_iterations().arrow(folder / "valid.arrow")


def is_possible(profile: Profile) -> None:
    launches, iterations = profile.launches, profile.iterations
    assert (launches.schema, iterations.schema) == (LAUNCHES, ITERATIONS)
    assert set(iterations["kind"].to_pylist()) <= set(KINDS)
    for times in (launches["duration_us"], iterations["duration_us"], iterations["busy_us"]):
        assert not len(times) or pc.min(times).as_py() >= 0
    found = breakdown(profile)
    assert found.time_us.shape == (iterations.num_rows, len(found.parts))
    assert np.isfinite(found.time_us).all()
    assert sum(one.launches for one in joining(profile)) == launches.num_rows
    assert sum(one.launches for one in unnamed(profile)) == launches["family"].null_count
    for process in set(iterations["process"].to_pylist()):
        with suppress(BurstlabError):  # no iterations of both kinds
            interference(found.of_process(process), "token")


def check(path: Path, read: Callable[[Path], Profile] = read_profile) -> None:
    profile = read_or_refused(lambda: read(path), path.name)
    if profile is not None:
        is_possible(profile)


@fuzzed(150)
@given(st.sampled_from(TRACES).flatmap(mutated))
def test_a_damaged_trace_of_torch(folder: Path, data: bytes) -> None:
    path = folder / "rank0.json"
    path.write_bytes(data)
    check(path)


@fuzzed(40)
@given(st.sampled_from([gzip.compress(trace, mtime=0) for trace in TRACES]).flatmap(mutated))
def test_a_damaged_zipped_trace(folder: Path, data: bytes) -> None:
    path = folder / "rank0.json.gz"
    path.write_bytes(data)
    check(path)


@fuzzed(150)
@given(st.sampled_from([json.loads(trace) for trace in TRACES]).flatmap(mutated_json))
def test_a_trace_with_other_values(folder: Path, data: bytes) -> None:
    path = folder / "other.json"
    path.write_bytes(data)
    check(path)


@fuzzed(100)
@given(st.data())
def test_a_damaged_database_of_nsys(folder: Path, database: Path, data: st.DataObject) -> None:
    path = folder / "report.sqlite"
    path.write_bytes(data.draw(mutated(database.read_bytes())))
    check(path)


@fuzzed(200)
@given(st.lists(st.tuples(st.sampled_from(PLACES), st.sampled_from(ODD_VALUES)), min_size=1, max_size=3))
def test_a_database_with_other_values(
    folder: Path, database: Path, changes: list[tuple[tuple[str, str, int], Any]]
) -> None:
    path = folder / "other.sqlite"
    path.write_bytes(database.read_bytes())
    with closing(sqlite3.connect(path)) as opened, opened:
        for (table, column, row), value in changes:
            opened.execute(f'UPDATE {table} SET "{column}" = ? WHERE rowid = ?', (value, row))  # noqa: S608
    check(path)


@fuzzed(100)
@given(st.data())
def test_a_damaged_arrow_file_of_nsys(folder: Path, arrow: Path, data: st.DataObject) -> None:
    path = folder / "report.arrow"
    path.write_bytes(data.draw(mutated(arrow.read_bytes())))
    check(path)


@fuzzed(60)
@given(st.data())
def test_damaged_tables_of_a_run(folder: Path, database: Path, data: st.DataObject) -> None:
    profile = read_profile(database)
    kernels, iterations = folder / "kernels.parquet", folder / "profiled_iterations.parquet"
    write_launches(kernels, profile.launches)
    write_iterations(iterations, profile.iterations)
    damaged = data.draw(st.sampled_from([kernels, iterations]))
    damaged.write_bytes(data.draw(mutated(damaged.read_bytes())))
    read_or_refused(lambda: read_launches(kernels), kernels.name)
    read_or_refused(lambda: read_iterations(iterations), iterations.name)
