"""Verified are the same made-up studies as are collected in the tests of collections."""

import importlib.util
from pathlib import Path

# Test folders are no packages, so a module of another one has to be loaded by its path.
_SPEC = importlib.util.spec_from_file_location(
    "made_studies", Path(__file__).parents[1] / "collections/conftest.py"
)
assert _SPEC is not None
assert _SPEC.loader is not None
_MODULE = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(_MODULE)

make_study = _MODULE.make_study
measured = _MODULE.measured
