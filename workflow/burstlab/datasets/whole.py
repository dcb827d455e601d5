"""Whether a prepared dataset is still the files that its record lists.

Prompts that were cut short or edited would be measured as if they were those of the recipe, so a session asks before each
cell. Files are hashed once, and again only when their time stamp or size changed.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from burstlab.datasets.record import NAME, DatasetRecord, read_record
from burstlab.errors import BurstlabError
from burstlab.files import sha256_of


def read_whole(folder: Path) -> DatasetRecord:
    """The record of the dataset prepared in `folder`, whose files are those that it lists; else BurstlabError."""
    record = read_record(folder)
    for name, entry in record.files.items():
        path = folder / name
        try:
            state = path.stat()
        except OSError as error:
            raise BurstlabError(f"{path}: cannot be read: {error.strerror}; {_CURE}") from error
        if state.st_size != entry.bytes or _sha256(path, (state.st_mtime_ns, state.st_size)) != entry.sha256:
            raise BurstlabError(f"{path} is not the file that {NAME} beside it lists; {_CURE}")
    return record


def damage(folder: Path) -> str | None:
    """What is wrong with the dataset in `folder`; None if nothing is, or nothing was prepared there yet."""
    if not (folder / NAME).exists():
        return None
    try:
        read_whole(folder)
    except BurstlabError as error:
        return str(error)
    return None


_CURE = "the next run of the workflow prepares it anew"


@lru_cache(maxsize=256)
def _sha256(path: Path, _state: tuple[int, int]) -> str:
    return sha256_of(path)
