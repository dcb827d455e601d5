"""Tables are made from cell folders: the same samples as in the tests of records."""

import importlib.util
from pathlib import Path

# Test folders are no packages, so a module of another one has to be loaded by its path.
_SPEC = importlib.util.spec_from_file_location(
    "sample_cells", Path(__file__).parents[1] / "records/conftest.py"
)
assert _SPEC is not None
assert _SPEC.loader is not None
_MODULE = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MODULE)

sample_cells = _MODULE.sample_cells
