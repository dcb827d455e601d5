"""A simulated cell is identified by what is simulated and by the constants, and by nothing of an engine."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.simulated_study import in_folder, simulated_config

from burstlab.simulator.costs.roofline.constants import CONSTANTS
from burstlab.simulator.setup import PROTOCOL
from burstlab.study.cells import Cell
from burstlab.study.expand import cells
from burstlab.study.schema import Study
from burstlab.study.specification import specification, specification_sha256


def identity(study: Study, cell: Cell | None = None) -> str:
    return specification_sha256(specification(cell or cells(study)[0], study))


def changed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    one = CONSTANTS[name]
    monkeypatch.setitem(CONSTANTS, name, replace(one, value=one.value * 2))


def test_a_changed_constant_makes_simulated_cells_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = identity(in_folder(tmp_path))
    changed(monkeypatch, "gh200.hbm")
    assert identity(in_folder(tmp_path)) != before


def test_a_constant_of_another_gpu_makes_none_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = identity(in_folder(tmp_path))
    changed(monkeypatch, "h200.hbm")
    assert identity(in_folder(tmp_path)) == before


def test_the_simulators_protocol_makes_simulated_cells_stale(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = identity(in_folder(tmp_path))
    monkeypatch.setattr("burstlab.study.specification.SIMULATOR_PROTOCOL", PROTOCOL + 1)
    assert identity(in_folder(tmp_path)) != before


def test_neither_makes_a_measured_cell_stale(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = simulated_config()
    config["platforms"]["gh200"] = {"kind": "cuda"}
    config["blocks"][0]["platforms"] = ["gh200"]
    before = identity(in_folder(tmp_path, config))
    changed(monkeypatch, "gh200.hbm")
    monkeypatch.setattr("burstlab.study.specification.SIMULATOR_PROTOCOL", PROTOCOL + 1)
    assert identity(in_folder(tmp_path, config)) == before


def test_another_lock_of_the_same_vllm_is_the_same_simulation(tmp_path: Path) -> None:
    before = identity(in_folder(tmp_path))
    study = in_folder(tmp_path)
    (tmp_path / "old.txt").write_text("numpy==3.0.0\nvllm==0.22.1\n")
    assert identity(study.at(tmp_path)) == before


@pytest.mark.parametrize(
    ("section", "name", "key", "value"),
    [
        ("engines", "old", "cuda_graphs", "none"),
        ("engines", "old", "max_sequences", 32),
        ("engines", "old", "environment", "new"),
        ("workloads", "random-64-16", "output_tokens", 17),
    ],
)
def test_what_is_simulated_is_a_part_of_it(
    tmp_path: Path, section: str, name: str, key: str, value: Any
) -> None:
    before = identity(in_folder(tmp_path))
    config = simulated_config()
    config[section][name][key] = value
    assert identity(in_folder(tmp_path, config)) != before
