"""The simulator's errors and the background of the regime map are made anew."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.simulator.validation.made import Machine, cell

from burstlab.simulator.regimes.job import write_regimes
from burstlab.simulator.regimes.sweep import Grid, sweep
from burstlab.simulator.validation.errors_table import write_table
from burstlab.simulator.validation.validate import validate
from burstlab.verify import simulator as verify_simulator
from burstlab.verify.simulator import simulator_differences


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Cells of a known machine with the table of the simulator's errors."""
    made = Machine(tmp_path)
    for seed in range(3):
        made.run(cell(seed))
    tables = made.tables()
    write_table(list(validate(tables, lambda one: folders(made)[one] / "cell.json")), tables)
    return made


def folders(machine: Machine) -> dict[str, Path]:
    root = machine.results / "cells"
    return {path.parent.relative_to(root).as_posix(): path.parent for path in root.rglob("cell.json")}


def changed(path: Path, column: str, value: float) -> None:
    table = pq.read_table(path)
    values = table[column].to_pylist()
    values[0] = value
    place = table.schema.get_field_index(column)
    pq.write_table(table.set_column(place, table.schema.field(place), pa.array(values)), path)


def test_nothing_differs_where_nothing_was_changed(machine: Machine) -> None:
    assert list(simulator_differences(machine.results / "tables", folders(machine))) == []


def test_an_error_that_the_simulator_does_not_make_is_told(machine: Machine) -> None:
    tables = machine.results / "tables"
    changed(tables / "validation.parquet", "simulated", 99.0)
    told, text = simulator_differences(tables, folders(machine))
    assert "simulated of cell" in told
    assert "is 99.0, its raw files give" in told
    assert text.endswith("validation.csv: does not say what validation.parquet says")


def test_a_point_of_the_map_that_the_sweep_does_not_give_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = Grid(knobs={"decodes": (1,), "prompts": (1,)}, loads=(0.5,), seeds=2)
    monkeypatch.setattr(verify_simulator, "sweep", lambda: sweep(grid=small))
    write_regimes(tmp_path, sweep(grid=small))
    assert list(simulator_differences(tmp_path, {})) == []
    changed(tmp_path / "regimes.parquet", "tpot_change", -0.9)
    told, _ = simulator_differences(tmp_path, {})
    assert "tpot_change of load 0.5 is -0.9, its raw files give" in told


def test_a_folder_without_either_table_has_nothing_to_tell(tmp_path: Path) -> None:
    assert list(simulator_differences(tmp_path, {})) == []
