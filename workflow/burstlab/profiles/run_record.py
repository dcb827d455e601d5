"""The record of a profiled run, in a study's results or in a collection."""

from __future__ import annotations

from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.files import sha256_of
from burstlab.records.cell_record import PROFILE_FILES, REQUESTS, read_record
from burstlab.records.schema import CellRecord

_DEPTH = 7  # parts of an identity


def checked_run(path: Path) -> CellRecord:
    """The record at `path`, if the run is that of its folder, and the tables that others are made of are whole.

    Raises BurstlabError when they are not, or it is no profiled run. Its other files do not matter: in a collection some are
    compressed.
    """
    record = read_record(path)
    run = record.cell.cell().id
    if not f"/{path.parent.as_posix()}".endswith(f"/{run}"):
        raise BurstlabError(f"{path}: is the record of {run}, not of this folder")
    missing = set(PROFILE_FILES) - set(record.files)
    if missing:
        raise BurstlabError(f"{path}: a profiled run has {' and '.join(sorted(missing))} too")
    for name in (*PROFILE_FILES, REQUESTS):
        file, entry = path.parent / name, record.files[name]
        try:
            whole = file.stat().st_size == entry.bytes and sha256_of(file) == entry.sha256
        except OSError as error:
            raise BurstlabError(f"{file}: cannot be read: {error.strerror}") from error
        if not whole:
            raise BurstlabError(f"{file}: is damaged: it is not the file that its cell.json recorded")
    return record


def run_order(path: Path) -> tuple[str, str]:
    """What sorts records by their runs' identities, whatever folders these lie in."""
    folder = path.parent.as_posix()
    return "/".join(folder.split("/")[-_DEPTH:]), folder
