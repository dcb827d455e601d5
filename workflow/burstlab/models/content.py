"""What identifies a model's weights: the content of a local folder, or the commit of one on the hub."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from burstlab.models.resolve import hub_cache

_WHOLE_BYTES = 64 * 2**20
_SAMPLE_BYTES = 64 * 2**10
_COMMIT = re.compile(r"[0-9a-f]{40}")
_PARTS = (".part", ".tmp", ".lock")


def folder_sha256(folder: Path) -> str | None:
    """SHA-256, in hexadecimal, that changes with the model in `folder`; None where there is no readable model.

    Files up to 64 MiB (configuration, tokenizer, index of the weights) count with all of their content, larger ones
    (weights) with name, size and three samples of 64 KiB, at start, middle and end: reading 140 GB at every start of
    the workflow would take minutes. Folders inside, and hidden files, do not count.
    """
    if not (folder / "config.json").is_file():
        return None
    whole = hashlib.sha256()
    try:
        for path in sorted(folder.iterdir()):
            if path.is_file() and not path.name.startswith(".") and path.suffix not in _PARTS:
                whole.update(f"{path.name}\0{_file_sha256(path)}\0".encode())
    except OSError:
        return None
    return whole.hexdigest()


def _file_sha256(path: Path) -> str:
    size = path.stat().st_size
    found = hashlib.sha256(f"{size}\0".encode())
    with path.open("rb") as file:
        for start, length in _pieces(size):
            file.seek(start)
            found.update(file.read(length))
    return found.hexdigest()


def _pieces(size: int) -> Iterator[tuple[int, int]]:
    if size <= _WHOLE_BYTES:
        yield 0, size
        return
    for start in (0, (size - _SAMPLE_BYTES) // 2, size - _SAMPLE_BYTES):
        yield start, _SAMPLE_BYTES


def hub_commit(hub: str, revision: str | None, variables: Mapping[str, str] = os.environ) -> str | None:
    """The commit that a model of the hub stands for: `revision` itself if it is one, else what the cache says.

    None where the hub's cache does not know it: nothing was downloaded yet, or another cache is used.
    """
    if revision is not None and _COMMIT.fullmatch(revision):
        return revision
    repository = hub_cache(variables) / f"models--{hub.replace('/', '--')}"
    try:
        commit = (repository / "refs" / (revision or "main")).read_text().strip()
    except OSError:
        return None
    return commit if _COMMIT.fullmatch(commit) else None
