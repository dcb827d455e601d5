"""The study's tables of profiled runs."""

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from tests.profiles.torch_made import two_iterations_on_a_cpu
from tests.records.sample_cells import SampleCells

from burstlab.errors import BurstlabError
from burstlab.profiles.read import read_profile
from burstlab.profiles.run_schemas import SCHEMAS
from burstlab.profiles.run_tables import build_run_tables
from burstlab.profiles.store import write_iterations, write_launches


def run(results: Path, seed: int = 0, **changes: Any) -> Path:
    """The record of a profiled run of two iterations: see `torch_made`."""
    made = SampleCells(results)
    cell = made.cell(seed)
    folder = made.folder(cell)
    folder.mkdir(parents=True)
    profile = read_profile(two_iterations_on_a_cpu().write(results / "trace.json"))
    write_launches(folder / "kernels.parquet", profile.launches)
    write_iterations(folder / "profiled_iterations.parquet", profile.iterations)
    made.build(cell, **changes)
    return folder / "cell.json"


def test_a_row_says_of_which_run_it_is(tmp_path: Path) -> None:
    build_run_tables([run(tmp_path, seed=3)], tmp_path / "tables")
    rows = pd.read_parquet(tmp_path / "tables/breakdown.parquet")
    assert set(rows["seed"]) == {3}
    assert set(rows["evidence"]) == {"measured"}
    assert set(rows["cell"]) == {"cpu/tiny/eager/random/rate-10/burst-0.25/seed-3"}


def test_the_parts_of_a_kind_add_up_to_its_iterations(tmp_path: Path) -> None:
    record = run(tmp_path)
    build_run_tables([record], tmp_path / "tables")
    rows = pd.read_parquet(tmp_path / "tables/breakdown.parquet")
    iterations = pd.read_parquet(record.parent / "profiled_iterations.parquet")
    assert rows.groupby("kind")["time_us"].sum().to_dict() == pytest.approx(
        iterations.groupby("kind")["duration_us"].sum().to_dict()
    )


def test_too_few_iterations_have_costs_and_no_interval(tmp_path: Path) -> None:
    build_run_tables([run(tmp_path)], tmp_path / "tables")
    rows = pd.read_parquet(tmp_path / "tables/interference.parquet")
    assert set(rows["per"]) == {"token", "iteration"}
    assert rows["index"].isna().all()
    assert rows["why"].notna().all()


def test_costs_and_paths_say_under_what_a_run_ran(tmp_path: Path) -> None:
    record = run(tmp_path, versions={"vllm": "0.22.1"})
    build_run_tables([record], tmp_path / "tables")
    for name in ("interference", "paths"):
        assert set(pd.read_parquet(tmp_path / f"tables/{name}.parquet")["vllm_version"]) == {"0.22.1"}


def test_the_course_of_a_run_has_its_iterations(tmp_path: Path) -> None:
    build_run_tables([run(tmp_path)], tmp_path / "tables")
    rows = pd.read_parquet(tmp_path / "tables/timeline.parquet")
    iterations = rows[rows["what"] == "iteration"]
    assert iterations["begin_ms"].tolist() == [0.0, 0.2]
    assert iterations["kind"].tolist() == ["decode-only", "mixed"]


def test_the_order_of_the_records_does_not_matter(tmp_path: Path) -> None:
    records = [run(tmp_path / "runs", seed) for seed in range(2)]
    build_run_tables(records, tmp_path / "a")
    build_run_tables(records[::-1], tmp_path / "b")
    for name in (f"{table}.{suffix}" for table in SCHEMAS for suffix in ("csv", "parquet")):
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes()


def test_a_cell_that_recorded_nothing_is_no_profiled_run(tmp_path: Path) -> None:
    made = SampleCells(tmp_path)
    record = made.build(made.cell()) / "cell.json"
    with pytest.raises(BurstlabError, match=r"a profiled run has kernels\.parquet and profiled_iterations"):
        build_run_tables([record], tmp_path / "tables")


def test_a_damaged_table_stops_it(tmp_path: Path) -> None:
    record = run(tmp_path)
    table = record.parent / "kernels.parquet"
    table.write_bytes(table.read_bytes()[:-1])
    with pytest.raises(BurstlabError, match=r"kernels\.parquet"):
        build_run_tables([record], tmp_path / "tables")
