"""Where a study keeps its files, relative to its root."""

from dataclasses import dataclass
from pathlib import Path

from burstlab.study.cells import Cell


@dataclass(frozen=True)
class Places:
    """Folders of one study. All are relative, as they enter commands and records, which travel between machines."""

    results: Path = Path("results")
    resources: Path = Path("resources")

    @property
    def datasets(self) -> Path:
        """Prepared datasets, a folder each."""
        return self.resources / "datasets"

    def dataset(self, name: str) -> Path:
        """Folder of a prepared dataset."""
        return self.datasets / name

    def cell(self, cell: Cell) -> Path:
        """Folder of a cell."""
        return self.results / "cells" / cell.id
