"""A simulated cell is verified by simulating it again from what its record says was asked for."""

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from tests.simulated_study import in_folder, simulated_config

from burstlab.records.cell_record import write_content
from burstlab.records.parquet import write_parquet
from burstlab.session.places import Places
from burstlab.session.simulate import simulate_cell
from burstlab.simulator.costs.roofline.constants import CONSTANTS
from burstlab.study.cells import Cell
from burstlab.study.expand import cells
from burstlab.study.profiled import runs_of
from burstlab.verify.cell import verify_cell
from burstlab.verify.simulated import OTHER_COSTS


def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, **changes: Any) -> dict[Cell, Path]:
    monkeypatch.chdir(tmp_path)
    config = simulated_config()
    config["blocks"][0] |= {"engines": ["old"], "burstiness": [0.1], "seeds": [0]} | changes
    study = in_folder(tmp_path, config)
    for cell in cells(study):
        simulate_cell(study, cell, Places())
    return {cell: Places().cell(cell) for cell in cells(study)}


def profiled_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a simulated run with a profile."""
    monkeypatch.chdir(tmp_path)
    config = simulated_config()
    config["profiles"] = {
        "requests": 20,
        "blocks": [config["blocks"][0] | {"engines": ["old"], "burstiness": [0.1], "seeds": [0]}],
    }
    runs = runs_of(in_folder(tmp_path, config))
    (cell, *_) = cells(runs)
    simulate_cell(runs, cell, Places().of_profiles())
    return Places().of_profiles().cell(cell)


def edited(folder: Path, column: str, name: str = "requests.parquet") -> None:
    """Make the first value of a column of a table greater by one, and the record vouch for it."""
    path = folder / name
    table = pq.read_table(path)
    values = table[column].to_pylist()
    values[0] += 1
    place = table.schema.get_field_index(column)
    field = table.schema.field(place)
    write_parquet(path, table.set_column(place, field, pa.array(values, field.type)))
    content = json.loads((folder / "cell.json").read_text())
    data = path.read_bytes()
    content["files"][path.name] = {"bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    write_content(folder / "cell.json", content)


@pytest.mark.parametrize("arrivals", [{}, {"burstiness": [], "traces": ["synthetic-talk"]}])
def test_nothing_differs_in_what_was_simulated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arrivals: dict[str, Any]
) -> None:
    for folder in made(tmp_path, monkeypatch, **arrivals).values():
        found = verify_cell(folder)
        assert (found.differences, found.not_raw) == ([], [])


@pytest.mark.parametrize("column", ["ttft_ms", "prompt_tokens", "planned_send_s"])
def test_an_edited_table_is_told_though_its_record_vouches_for_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, column: str
) -> None:
    folder = next(iter(made(tmp_path, monkeypatch).values()))
    edited(folder, column)
    assert any(
        f"requests.parquet: {column} of request 0 is" in one for one in verify_cell(folder).differences
    )


def test_a_damaged_table_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = next(iter(made(tmp_path, monkeypatch).values()))
    (folder / "iterations.parquet").write_bytes(b"")
    assert verify_cell(folder).differences == ["iterations.parquet: is not the file that cell.json recorded"]


def test_what_other_costs_gave_cannot_be_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = next(iter(made(tmp_path, monkeypatch).values()))
    one = CONSTANTS["gemm.share"]
    monkeypatch.setitem(CONSTANTS, "gemm.share", replace(one, value=0.5))
    found = verify_cell(folder)
    assert (found.differences, found.not_raw) == ([], [OTHER_COSTS])


def test_a_profiled_run_is_verified_with_its_kernels(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = profiled_run(tmp_path, monkeypatch)
    found = verify_cell(folder)
    assert (found.differences, found.not_raw) == ([], [])
    edited(folder, "duration_us", "profiled_iterations.parquet")
    (told,) = verify_cell(folder).differences
    assert told.startswith("profiled_iterations.parquet: duration_us of iteration 0 is ")


def test_a_damaged_table_of_kernels_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = profiled_run(tmp_path, monkeypatch)
    (folder / "kernels.parquet").write_bytes(b"cut")
    (told,) = verify_cell(folder).differences
    assert "kernels.parquet: is not the file that cell.json recorded" in told
