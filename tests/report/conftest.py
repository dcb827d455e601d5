import importlib.util
import sys
from pathlib import Path

# The tests are no package; this loads what the tests of the figures made up.
_PATH = Path(__file__).parents[1] / "figures" / "synthetic_tables.py"
if "synthetic_tables" not in sys.modules:
    _SPEC = importlib.util.spec_from_file_location("synthetic_tables", _PATH)
    assert _SPEC is not None
    assert _SPEC.loader is not None
    sys.modules["synthetic_tables"] = importlib.util.module_from_spec(_SPEC)
    _SPEC.loader.exec_module(sys.modules["synthetic_tables"])
