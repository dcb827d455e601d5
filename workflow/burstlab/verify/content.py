"""The content of a cell's files, if it is what the record says."""

from __future__ import annotations

import hashlib
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.records.cell_record import RECORD
from burstlab.records.schema import CellRecord


def content_of(folder: Path, name: str, record: CellRecord) -> bytes:
    """What the file `name` of the cell in `folder` holds; BurstlabError if it cannot be read or is another."""
    try:
        data = (folder / name).read_bytes()
    except OSError as error:
        raise BurstlabError(f"{folder / name}: cannot be read: {error.strerror}") from error
    return checked_content(data, folder / name, name, record)


def checked_content(data: bytes, path: Path, name: str, record: CellRecord) -> bytes:
    """`data`, which was read from `path`, if it is what the record says of the file `name`; else BurstlabError."""
    entry = record.files.get(name)
    if entry is None or len(data) != entry.bytes or hashlib.sha256(data).hexdigest() != entry.sha256:
        raise BurstlabError(f"{path}: is not the file that {RECORD} recorded")
    return data
