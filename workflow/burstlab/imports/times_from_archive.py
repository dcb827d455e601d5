"""Times of exact batches of an archive, taken over unchanged."""

from __future__ import annotations

import re
from pathlib import Path

import pyarrow.compute as pc

from burstlab.archive.contents import RESULTS
from burstlab.archive.unpack import Archive
from burstlab.collections.places import EXACT_BATCHES
from burstlab.errors import BurstlabError
from burstlab.exact_batches.record import times_of
from burstlab.exact_batches.targets import ENGINE, engine_of
from burstlab.imports.outcome import Outcome

_PATH = re.compile(rf"(?:{RESULTS}|collections/[^/]+)/({EXACT_BATCHES}/[^/]+/[^/]+/[^/]+\.json)")


def take_times(archive: Archive, collection: Path, outcome: Outcome) -> None:
    """Unpack the files with times, of the study and of its collections, to their places in the folder `collection`.

    One that is damaged or of another engine than its name says is refused. Raises BurstlabError where two places have
    different ones of the same name.
    """
    for name, place in sorted(_places(archive).items()):
        target = collection / name
        target.parent.mkdir(parents=True, exist_ok=True)
        try:
            archive.extract(place, target)
            _check(target, f"{archive.path}: {place}")
        except BurstlabError as error:
            target.unlink(missing_ok=True)
            outcome.refused[name] = str(error)


def _places(archive: Archive) -> dict[str, str]:
    found: dict[str, str] = {}
    for place, listed in archive.listed.items():
        match = _PATH.fullmatch(place)
        if match is None:
            continue
        other = found.setdefault(match[1], place)
        if archive.listed[other] != listed:
            raise BurstlabError(f"{archive.path}: {match[1]}: there are two, in {other} and in {place}")
    return found


def _check(path: Path, shown: str) -> None:
    try:
        rows = times_of([path])
    except BurstlabError as error:
        raise BurstlabError(f"{shown}: not the times of exact batches: {error.__cause__!r}") from error
    engines = pc.binary_join_element_wise(*(rows[name] for name in ENGINE), "/").unique().to_pylist()
    if engines != [engine_of(path)]:
        raise BurstlabError(f"{shown}: has times of {', '.join(map(str, engines))}")
