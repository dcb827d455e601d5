"""Cell folders as a session leaves them."""

from pathlib import Path

import pytest
from tests.records.sample_cells import SampleCells


@pytest.fixture
def sample_cells(tmp_path: Path) -> SampleCells:
    """A maker of cell folders in an empty results folder."""
    return SampleCells(tmp_path / "results")
