"""Whether a disk has room for what a session writes while it measures."""

from __future__ import annotations

import shutil
from pathlib import Path

from burstlab.errors import BurstlabError

# A bench.json of 1000 requests has some MiB, an engine's log of a night some tens.
LEAST_FREE_MIB = 64


def require_space(folder: Path) -> None:
    """Raise BurstlabError unless the disk of `folder`, which is made if need be, has room. It may fill up later all the same."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        free_mib = shutil.disk_usage(folder).free // 2**20
    except OSError as error:
        raise BurstlabError(f"the scratch folder {folder} cannot be used: {error.strerror}") from None
    if free_mib < LEAST_FREE_MIB:
        raise BurstlabError(
            f"No space left on device: the scratch folder {folder} has {free_mib} MiB free, and a session may need"
            f" {LEAST_FREE_MIB}; make room, or name another place with BURSTLAB_SCRATCH; finished cells are kept"
        )


def explained(error: BurstlabError, folder: Path) -> BurstlabError:
    """The error, or one that tells of a full disk if that is what led to it: what could not be logged is missed elsewhere."""
    try:
        require_space(folder)
    except BurstlabError as full:
        return BurstlabError(f"{full}. It led to this: {error}")
    return error
