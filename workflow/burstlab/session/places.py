"""Where a study keeps its files, relative to its root."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from burstlab.datasets.recipe import folder_name
from burstlab.study.cells import Cell
from burstlab.study.schema import Dataset


@dataclass(frozen=True)
class Places:
    """Folders of one study. All are relative, as they enter commands and records, which travel between machines."""

    results: Path = Path("results")
    resources: Path = Path("resources")

    def of_profiles(self) -> Places:
        """Where the same study keeps its profiled runs: no table of performance is made of what lies there."""
        return replace(self, results=self.results / "profiles")

    @property
    def datasets(self) -> Path:
        """Prepared datasets, a folder each."""
        return self.resources / "datasets"

    def dataset(self, name: str, dataset: Dataset) -> Path:
        """Folder of the prepared dataset that the configuration calls `name`."""
        return self.datasets / folder_name(name, dataset)

    def cell(self, cell: Cell) -> Path:
        """Folder of a cell."""
        return self.results / "cells" / cell.id

    def trace(self, cell: Cell) -> Path:
        """Folder of what a profiled run recorded, where that is kept."""
        return self.results / "traces" / cell.id
