"""Cells from a folder of files that `vllm bench serve` saved."""

from __future__ import annotations

from pathlib import Path, PurePath

from burstlab.errors import BurstlabError
from burstlab.imports.cell import import_bench, merged
from burstlab.imports.names import Named, from_layout
from burstlab.imports.outcome import Outcome


def import_folder(source: Path, asked: Named, cells: Path) -> Outcome:
    """Make a cell in the folder `cells` of every JSON file below `source`, or of `source` itself.

    Where the path is of the layout of `names.from_layout`, it gives the names, and what it says of rate,
    burstiness and requests must be true. `asked` has those that the importer gives, which win. A faulty file is
    refused, the others are not. Raises BurstlabError when there is no JSON file.
    """
    outcome = Outcome()
    files = [source] if source.is_file() else sorted(source.rglob("*.json"))
    if not files:
        raise BurstlabError(f"{source}: has no .json file in it")
    for path in files:
        shown = path.name if path == source else path.relative_to(source).as_posix()
        try:
            # A folder inside the layout, or one file of it, is enough: what is above counts too.
            named = from_layout(PurePath(path.absolute())) or Named()
            made = import_bench(path, shown, merged(named, asked), cells)
            outcome.cells.append(made.cell.id)
            outcome.notes += made.notes
        except BurstlabError as error:
            # What is said of a name does not say whose.
            outcome.refused[shown] = str(error) if str(path) in str(error) else f"{path}: {error}"
    return outcome
