"""Refusing to import what a study would then have twice: it would stop at its next start, with less to say of the cure."""

from __future__ import annotations

from collections.abc import Iterable

from burstlab.collections.manifest import read_manifest
from burstlab.collections.members import folders_of
from burstlab.collections.places import CELLS, RUNS
from burstlab.errors import BurstlabError
from burstlab.imports.outcome import Outcome
from burstlab.records.cell_record import RECORD
from burstlab.study.cells import Cell
from burstlab.study.expand import cells
from burstlab.study.profiled import profiled
from burstlab.study.schema import Study


def refuse_twice(study: Study, name: str, outcome: Outcome) -> None:
    """Raise BurstlabError where `study`, if it shows the collection `name`, has a cell or profiled run of `outcome` already.

    As in `collections.members`, a simulated cell of the study's own may be there twice.
    """
    if study.collections != "all" and name not in study.collections:
        return
    runs = profiled(study)
    _refuse(study, cells(study), outcome.cells, CELLS)
    _refuse(study, () if runs is None else cells(runs), outcome.runs, RUNS)


def _refuse(study: Study, own: Iterable[Cell], imported: Iterable[str], below: str) -> None:
    places = {}
    for folder in folders_of(study):
        manifest = read_manifest(study.root / folder)
        for path in manifest.records if below == CELLS else manifest.profiled_records:
            places[path.removeprefix(f"{below}/").removesuffix(f"/{RECORD}")] = f"in {folder}"
    for cell in own:
        if study.platforms[cell.platform].simulated:
            places.pop(cell.id, None)
        else:
            places[cell.id] = "among the study's own: the configuration's blocks ask for it"
    twice = [name for name in imported if name in places]
    if twice:
        platform = twice[0].partition("/")[0]
        more = f", and {len(twice) - 1} more" if len(twice) > 1 else ""
        raise BurstlabError(
            f"nothing was imported: {twice[0]} would be there twice ({places[twice[0]]}){more}. Call its platform after its "
            f"machine: --platform {platform}=NAME for an archive, --platform NAME for other files"
        )
