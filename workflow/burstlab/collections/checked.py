"""Checking collections at every start: what has not changed since it was found whole is not read again.

The index maps a collection's folder to a digest of size, time stamps and inode of each of its files. It can only
confirm, like that of cells (`records.index`): a lost or damaged one costs time, never a wrong verdict.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import time
from pathlib import Path

from burstlab.collections.manifest import Manifest, check_manifest, files_in, read_manifest
from burstlab.collections.places import MANIFEST
from burstlab.files import atomic_write_json
from burstlab.records.index import FRESH_NS

FORMAT = 1


def checked(folder: Path, index: Path) -> Manifest:
    """The manifest of the collection in `folder`, which is whole; `index` makes the next call fast.

    Raises BurstlabError as `check_manifest` does.
    """
    now_ns = time.time_ns()
    manifest = read_manifest(folder)
    signature, changed_ns = _signature(folder)
    known = _load(index)
    if known.get(str(folder)) == signature:
        return manifest
    check_manifest(folder)
    # Files this fresh may change again without showing it.
    if changed_ns < now_ns - FRESH_NS:
        with contextlib.suppress(OSError):
            atomic_write_json(index, {"format": FORMAT, "collections": {**known, str(folder): signature}})
    return manifest


def _signature(folder: Path) -> tuple[str, int]:
    """The digest of all files' states, and when the last of them changed, in ns."""
    digest = hashlib.sha256()
    changed_ns = 0
    for path in [MANIFEST, *files_in(folder)]:
        found = (folder / path).stat()
        state = f"{path}\0{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}\n"
        digest.update(state.encode())
        changed_ns = max(changed_ns, found.st_ctime_ns, found.st_mtime_ns)
    return digest.hexdigest(), changed_ns


def _load(index: Path) -> dict[str, str]:
    try:
        content = json.loads(index.read_bytes())
        entries = content["collections"] if content["format"] == FORMAT else {}
    except (OSError, ValueError, RecursionError, KeyError, TypeError, IndexError):
        return {}
    return entries if isinstance(entries, dict) else {}
