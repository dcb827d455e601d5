"""A machine whose costs and delays are known, so that what the simulator gets wrong is known too."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.simulator.validation.made import Machine, cell

from burstlab.records.schema import Gate
from burstlab.simulator.validation.errors_table import SCHEMA
from burstlab.simulator.validation.job import validation_from_workflow
from burstlab.simulator.validation.split import ARRIVALS, SEEDS, WORKLOADS
from burstlab.simulator.validation.validate import validate


def rows_of(machine: Machine, said: list[str] | None = None, simulated: str = "") -> list[dict[str, Any]]:
    tables = machine.tables()
    call_simulated(tables / "cells.parquet", simulated)
    say = (said if said is not None else []).append
    return list(validate(tables, lambda one: machine.results / "cells" / one / "cell.json", say))


def call_simulated(path: Path, cell: str) -> None:
    table = pq.read_table(path)
    words = ["simulated" if name == cell else "measured" for name in table["cell"].to_pylist()]
    column = table.schema.get_field_index("evidence")
    pq.write_table(table.set_column(column, table.schema.field(column), pa.array(words)), path)


def errors(rows: list[dict[str, Any]], metric: str, column: str = "error") -> list[float]:
    return [row[column] for row in rows if row["metric"] == metric]


def test_a_machine_that_the_terms_describe_is_predicted_almost_exactly(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for burstiness in (1.0, 0.1):
        for seed in range(3):
            machine.run(cell(seed, burstiness))
    for seed in range(3):
        machine.run(cell(seed, workload="other"))
    rows = rows_of(machine)
    predicted = {(row["split"], row["cell"]) for row in rows}
    # Seeds: one of three at each of three arrivals. Burstiness: three seeds. Workloads: nine cells, told by the other one's.
    assert [sum(way == split for split, _ in predicted) for way in (SEEDS, ARRIVALS, WORKLOADS)] == [3, 3, 9]
    assert max(map(abs, errors(rows, "median_tpot_ms"))) < 0.01
    assert max(map(abs, errors(rows, "mean_e2el_ms"))) < 0.02
    assert max(map(abs, errors(rows, "decode_only_token_share"))) < 0.02
    assert errors(rows, "median_tpot_ms", "own_speed") == pytest.approx([1.0] * 15, abs=0.01)
    assert {(row["evidence"], row["held_against"]) for row in rows} == {("simulated", "measured")}


def test_a_machine_that_has_become_slower_is_told_from_a_wrong_model(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for seed in range(3):
        machine.run(cell(seed), slowness=1.25 if seed == 2 else 1.0)
    rows = rows_of(machine)
    (speed,) = errors(rows, "median_tpot_ms", "own_speed")
    (error,) = errors(rows, "median_tpot_ms")
    (left,) = errors(rows, "median_tpot_ms", "error_at_own_speed")
    assert speed == pytest.approx(1.25, abs=0.01)
    assert error < -0.12
    assert abs(left) < 0.01


def test_goals_are_for_loads_that_are_known_and_moderate(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for seed in range(3):
        machine.run(cell(seed, rate=20.0))
    unknown = rows_of(machine)
    machine.run(cell(0, rate=float("inf")))
    known = rows_of(machine)
    assert {row["within_goal"] for row in unknown} == {None}
    assert all(0.3 <= row["load"] <= 0.7 for row in known)
    within = {row["metric"]: row["within_goal"] for row in known}
    assert (within["median_tpot_ms"], within["mean_e2el_ms"], within["p99_e2el_ms"]) == (True, True, None)


def test_of_many_seeds_the_first_five_are_enough(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for seed in (9, 3, 4, 5, 6, 8):
        machine.run(cell(seed))
    rows = rows_of(machine)
    assert {row["seed"] for row in rows} == {5, 6, 8}
    assert {row["fitted_cells"] for row in rows} == {2}


def test_only_measured_counted_cells_of_a_scheduler_that_is_known_take_part(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for seed in range(3):
        machine.run(cell(seed))
    machine.run(cell(3), gates=(Gate(name="no-drift", passed=False),))
    machine.run(cell(4))
    machine.run(cell(5), scheduler="plugin.PrefillFirst")
    said: list[str] = []
    assert {row["seed"] for row in rows_of(machine, said, simulated=cell(4).id)} == {2}
    assert said == [
        f"{cell(5).id} is left out: its scheduler is plugin.PrefillFirst, which the simulator does not know"
    ]


def test_a_split_whose_cells_tell_too_little_is_left_out_and_told(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.run(cell(0), count=2)
    machine.run(cell(0, workload="other"), count=2)
    said: list[str] = []
    assert rows_of(machine, said) == []
    assert [line.split(":")[0] for line in said] == [
        "other workloads, fitted on other workloads than chat",
        "other workloads, fitted on other workloads than other",
    ]
    assert all("are too few to" in line for line in said)


def test_a_cell_whose_tables_disagree_is_left_out_and_told(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.run(cell(0))
    tables = machine.tables()
    requests = pq.read_table(tables / "requests.parquet")
    pq.write_table(requests.slice(0, 0), tables / "requests.parquet")
    said: list[str] = []
    assert list(validate(tables, lambda _: machine.records[0], said.append)) == []
    assert said == [f"{cell(0).id} is left out: its iterations do not fit its requests"]


def test_a_cell_whose_plan_nobody_knows_is_left_out_and_told(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.run(cell(0))
    tables = machine.tables()
    requests = pq.read_table(tables / "requests.parquet")
    column = requests.schema.get_field_index("planned_send_s")
    unknown = pa.array([float("nan")] * requests.num_rows)
    pq.write_table(
        requests.set_column(column, requests.schema.field(column), unknown), tables / "requests.parquet"
    )
    said: list[str] = []
    assert list(validate(tables, lambda _: machine.records[0], said.append)) == []
    assert said == [f"{cell(0).id} is left out: nobody knows when its requests were to be sent"]


def test_a_cell_that_the_simulator_refuses_is_left_out_and_told(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for seed in range(3):
        machine.run(cell(seed), kv_cache_tokens=64 if seed == 2 else 16_000)
    said: list[str] = []
    assert rows_of(machine, said) == []
    assert f"{cell(2).id} cannot be simulated: request" in said[0]
    assert "memory holds 64" in said[0]


def test_the_job_writes_both_files_and_a_log(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    for seed in range(3):
        machine.run(cell(seed))
    tables = machine.tables()
    validation_from_workflow(tmp_path, [], tmp_path / "log")
    assert pq.read_schema(tables / "validation.parquet").equals(SCHEMA)
    lines = (tables / "validation.csv").read_text().splitlines()
    assert len(lines) == 1 + pq.read_metadata(tables / "validation.parquet").num_rows == 11
    assert (tmp_path / "log").read_text() == "predicted 1 cell\n"


def test_a_study_with_nothing_measured_has_an_empty_table(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.run(cell(0))
    call_simulated(machine.tables() / "cells.parquet", cell(0).id)
    validation_from_workflow(tmp_path, [], tmp_path / "log")
    assert pq.read_metadata(tmp_path / "tables" / "validation.parquet").num_rows == 0


def test_a_damaged_record_ends_the_job_with_one_message(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.run(cell(0))
    machine.tables()
    machine.records[0].write_text("{")
    with pytest.raises(SystemExit, match=r"cell\.json"):
        validation_from_workflow(tmp_path, [], tmp_path / "log")
