"""A study of two finished cells in a folder of its own."""

from pathlib import Path
from typing import Any

import pytest
from tests.records.sample_cells import SampleCells

from burstlab.study.expand import cells
from burstlab.study.load import load_study
from burstlab.study.specification import specification
from burstlab.tables.study_tables import build_tables

CONFIG: dict[str, Any] = {
    "name": "small",
    "platforms": {"cpu": {"kind": "cpu"}},
    "environments": {"own": {"python": "/opt/vllm/bin/python", "vllm_version": "0.32.0"}},
    "models": {"tiny": {"build": "tiny-gqa"}},
    "engines": {"eager": {"environment": "own", "max_model_len": 512}},
    "workloads": {"random": {"dataset": "random", "input_tokens": 32, "output_tokens": 8, "requests": 3}},
    "blocks": [
        {
            "platforms": ["cpu"],
            "models": ["tiny"],
            "engines": ["eager"],
            "workloads": ["random"],
            "rates": [10],
            "burstiness": [0.25],
            "seeds": [0, 1],
        }
    ],
}


class SmallStudy:
    """Its configuration and its results, in the current folder."""

    config = CONFIG
    results = Path("results")

    def __init__(self) -> None:
        study = load_study(CONFIG, [], Path.cwd())
        samples = SampleCells(self.results)
        self.cells = cells(study)
        folders = [samples.build(cell, specification=specification(cell, study)) for cell in self.cells]
        build_tables([folder / "cell.json" for folder in folders], self.results / "tables")
        (self.results / "report.html").write_text("<p>measured</p>")

    def folder(self, number: int) -> Path:
        """The folder of a cell."""
        return self.results / "cells" / self.cells[number].id


@pytest.fixture
def small_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SmallStudy:
    """A new one, in a new current folder."""
    monkeypatch.chdir(tmp_path)
    return SmallStudy()
