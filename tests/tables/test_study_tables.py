import math
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from burstlab.errors import BurstlabError
from burstlab.records.schema import Gate
from burstlab.study.cells import Arrivals
from burstlab.tables import stream
from burstlab.tables.study_tables import build_tables


def read(folder: Path, table: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = pq.read_table(folder / f"{table}.parquet").to_pylist()
    return rows


def build(sample_cells: Any, *cells: Any, **changes: Any) -> list[Path]:
    return [sample_cells.build(cell, **changes) / "cell.json" for cell in cells]


def test_every_cell_has_its_row_and_its_requests_and_iterations(sample_cells: Any, tmp_path: Path) -> None:
    one, other = sample_cells.cell(0), sample_cells.cell(1)
    build_tables(build(sample_cells, other, one), tmp_path)
    assert [row["cell"] for row in read(tmp_path, "cells")] == [one.id, other.id]
    for table, ordinal in (("requests", "request"), ("iterations", "iteration")):
        rows = read(tmp_path, table)
        assert [(row["cell"], row[ordinal]) for row in rows] == [
            (cell.id, number) for cell in (one, other) for number in range(3)
        ]
        assert {row["evidence"] for row in rows} == {"measured"}
    assert [row["tpot_ms"] for row in read(tmp_path, "requests")] == [250.0, None, None] * 2
    assert [row["kind"] for row in read(tmp_path, "iterations")][:3] == [
        "prefill-only",
        "decode-only",
        "mixed",
    ]


def test_the_row_of_a_cell(sample_cells: Any, tmp_path: Path) -> None:
    cell = sample_cells.cell()
    build_tables(build(sample_cells, cell), tmp_path)
    (row,) = read(tmp_path, "cells")
    assert (row["platform"], row["model"], row["engine"], row["workload"]) == (
        "cpu",
        "tiny",
        "eager",
        "random",
    )
    assert (row["rate"], row["arrivals"], row["burstiness"], row["cv"]) == (10.0, "gamma", 0.25, 2.0)
    assert (row["seed"], row["counted"], row["failed_gates"]) == (0, True, "")
    assert (row["requests"], row["failed_requests"], row["median_tpot_ms"]) == (3, 1, 250.0)
    assert row["expected_interval_ms"] == 15.0


def test_a_trace_has_the_cv_of_its_plan_and_no_burstiness(sample_cells: Any, tmp_path: Path) -> None:
    cell = sample_cells.cell(arrivals=Arrivals.replay("azure-conv"))
    build_tables(build(sample_cells, cell), tmp_path)
    (row,) = read(tmp_path, "cells")
    assert (row["arrivals"], row["burstiness"]) == ("trace:azure-conv", None)
    # Gaps 0, 1, 2: mean 1, standard deviation √(2/3).
    assert row["cv"] == pytest.approx(math.sqrt(2 / 3))


def test_a_failed_gate_takes_a_cell_out_of_the_count(sample_cells: Any, tmp_path: Path) -> None:
    gates = (
        Gate(name="punctual", passed=False),
        Gate(name="whole", passed=True),
        Gate(name="steady", passed=False),
    )
    build_tables(build(sample_cells, sample_cells.cell(), gates=gates), tmp_path)
    (row,) = read(tmp_path, "cells")
    assert (row["counted"], row["failed_gates"]) == (False, "punctual,steady")


def test_gates_that_lack_evidence_are_named_those_that_do_not_apply_are_not(
    sample_cells: Any, tmp_path: Path
) -> None:
    gates = (
        Gate(name="whole", passed=True),
        Gate(name="no-steal", passed=None),
        Gate(name="gpu-clocks", passed=None, applies=False),
        Gate(name="log-complete", passed=None),
    )
    build_tables(build(sample_cells, sample_cells.cell(), gates=gates), tmp_path)
    (row,) = read(tmp_path, "cells")
    assert (row["counted"], row["unjudged_gates"]) == (True, "no-steal,log-complete")


def test_what_the_engine_ran_under_is_in_the_row(sample_cells: Any, tmp_path: Path) -> None:
    reported = {"version": "0.33.0", "cudagraph_mode": "PIECEWISE", "argument_max_sequences": "32"}
    build_tables(build(sample_cells, sample_cells.cell(), engine_reported=reported), tmp_path)
    (row,) = read(tmp_path, "cells")
    assert (row["vllm_version"], row["cudagraph_mode"], row["max_sequences"]) == ("0.33.0", "PIECEWISE", 32)
    assert (row["on_gpu"], row["max_batched_tokens"]) == (None, None)


def test_load_is_the_share_of_what_all_at_once_gets_through(sample_cells: Any, tmp_path: Path) -> None:
    paced = sample_cells.cell(rate=0.25)
    # 2 requests in 4 s and, with another seed, in 2 s: the median is 0.75 requests per second.
    records = build(sample_cells, paced, sample_cells.cell(0, rate=math.inf))
    records += build(sample_cells, sample_cells.cell(1, rate=math.inf), bench={"duration": 2.0})
    build_tables(records, tmp_path)
    by_rate = {(row["rate"], row["seed"]): row for row in read(tmp_path, "cells")}
    assert by_rate[0.25, 0]["capacity_req_s"] == 0.75
    assert by_rate[0.25, 0]["load"] == pytest.approx(1 / 3)
    assert by_rate[math.inf, 0]["capacity_req_s"] == 0.75
    assert by_rate[math.inf, 0]["load"] is None


def test_no_capacity_from_another_group_or_from_a_cell_that_does_not_count(
    sample_cells: Any, tmp_path: Path
) -> None:
    records = build(sample_cells, sample_cells.cell(), sample_cells.cell(rate=math.inf, model="other"))
    failed = (Gate(name="punctual", passed=False),)
    records += build(sample_cells, sample_cells.cell(rate=math.inf), gates=failed)
    build_tables(records, tmp_path)
    rows = {(row["model"], row["rate"]): row for row in read(tmp_path, "cells")}
    assert rows["tiny", 10.0]["capacity_req_s"] is None
    assert rows["tiny", 10.0]["load"] is None
    assert rows["other", math.inf]["capacity_req_s"] == 0.5


def test_row_groups_end_where_cells_end(
    sample_cells: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stream, "ROWS", 5)
    cells = [sample_cells.cell(seed) for seed in range(5)]
    build_tables(build(sample_cells, *cells), tmp_path)
    with pq.ParquetFile(tmp_path / "requests.parquet") as file:
        groups = [file.read_row_group(number)["cell"].to_pylist() for number in range(file.num_row_groups)]
        statistics = file.metadata.row_group(1).column(0).statistics
    ids = [cell.id for cell in cells]
    assert groups == [[ids[0]] * 3 + [ids[1]] * 3, [ids[2]] * 3 + [ids[3]] * 3, [ids[4]] * 3]
    # By these a reader of one cell skips the others.
    assert (statistics.min, statistics.max) == (ids[2], ids[3])


def test_no_cells_make_empty_tables(tmp_path: Path) -> None:
    build_tables([], tmp_path)
    for table in ("cells", "requests", "iterations"):
        assert read(tmp_path, table) == []


def test_people_can_read_the_cells_too(sample_cells: Any, tmp_path: Path) -> None:
    build_tables(build(sample_cells, sample_cells.cell(rate=math.inf)), tmp_path)
    head, row = (tmp_path / "cells.csv").read_text().splitlines()
    assert head.startswith('"cell","platform","model"')
    assert ",inf," in row


@pytest.mark.parametrize("name", ["requests.parquet", "iterations.parquet", "cell.json"])
def test_a_damaged_file_is_named_and_the_tables_stay_as_they_were(
    sample_cells: Any, tmp_path: Path, name: str
) -> None:
    good, bad = sample_cells.cell(0), sample_cells.cell(1)
    records = build(sample_cells, good)
    build_tables(records, tmp_path / "tables")
    before = {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()}
    records += build(sample_cells, bad)
    path = sample_cells.folder(bad) / name
    data = path.read_bytes()
    path.write_bytes(data[:50] + bytes([data[50] ^ 1]) + data[51:])
    with pytest.raises(BurstlabError, match=name) as caught:
        build_tables(records, tmp_path / "tables")
    assert str(path) in str(caught.value)
    assert {path.name: path.read_bytes() for path in (tmp_path / "tables").iterdir()} == before


def test_a_lost_file_is_named(sample_cells: Any, tmp_path: Path) -> None:
    (record,) = build(sample_cells, sample_cells.cell())
    (record.parent / "iterations.parquet").unlink()
    with pytest.raises(BurstlabError, match=r"iterations\.parquet: cannot be read"):
        build_tables([record], tmp_path)
    with pytest.raises(BurstlabError, match=r"none/cell\.json: cannot be read"):
        build_tables([tmp_path / "none" / "cell.json"], tmp_path)


def test_a_record_in_the_folder_of_another_is_an_error(sample_cells: Any, tmp_path: Path) -> None:
    (record,) = build(sample_cells, sample_cells.cell(0))
    moved = record.parent.rename(sample_cells.folder(sample_cells.cell(1)))
    with pytest.raises(BurstlabError, match="seed-0, not of this folder"):
        build_tables([moved / "cell.json"], tmp_path)


def test_a_cell_that_comes_twice_is_an_error(sample_cells: Any, tmp_path: Path) -> None:
    cell = sample_cells.cell()
    (one,) = build(sample_cells, cell)
    sample_cells.results = tmp_path / "more"
    (other,) = build(sample_cells, cell)
    with pytest.raises(BurstlabError, match="is given twice"):
        build_tables([one, other], tmp_path)


def test_a_cell_measured_under_another_specification_enters_no_table(
    sample_cells: Any, tmp_path: Path
) -> None:
    cell = sample_cells.cell()
    records = build(sample_cells, cell)
    with pytest.raises(BurstlabError, match="was measured under another specification than is asked for"):
        build_tables(records, tmp_path, {cell.id: {"protocol": 0}})
    assert not (tmp_path / "cells.parquet").exists()
