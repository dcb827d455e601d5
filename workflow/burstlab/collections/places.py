"""Where collections lie."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

COLLECTIONS = Path("collections")
"""Relative to the study's root."""
MANIFEST = "manifest.json"
CELLS = "cells"
RUNS = "profiles/cells"
"""Where profiled runs lie, in a collection as in results."""
EXACT_BATCHES = "profiles/exact_batches"
"""Where the times of exact batches lie, a file an engine."""


def record_of(cell: str, results: Path, collections: Sequence[Path]) -> Path:
    """The `cell.json` of the cell with this identity: in one of `collections`, or else where `results` has it.

    A study has no cell twice, so where a collection has it, it is that one.
    """
    for folder in collections:
        path = folder / "cells" / cell / "cell.json"
        if path.is_file():
            return path
    return results / "cells" / cell / "cell.json"


def names_there(root: Path) -> list[str]:
    """Names of the collections of the study in `root`, sorted: a hidden folder is one in the making."""
    return sorted(
        path.parent.name
        for path in (root / COLLECTIONS).glob(f"*/{MANIFEST}")
        if not path.parent.name.startswith(".")
    )
