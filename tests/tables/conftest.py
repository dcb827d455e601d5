"""Tables are made from cell folders: the same samples as in the tests of records."""

from tests.records.conftest import sample_cells

__all__ = ["sample_cells"]
