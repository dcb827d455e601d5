"""The index of cells found whole, as git keeps one of files: what has not changed is not read again.

It maps the identity of a cell to one text: the fingerprint of its specification, then size, both time stamps
and inode of each of its files. It can only confirm: a cell whose text differs is read in full. So a lost,
old or damaged index costs time, never a wrong verdict.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from burstlab.files import atomic_write_text
from burstlab.records.cell_record import FILES, PROFILE_FILES, RAW_FILES, RECORD

FORMAT = 1
# A file changed again within a tick of the clock keeps its time stamps, so those this fresh prove nothing.
# Two seconds are the coarsest tick of a file system in use.
FRESH_NS = 2_000_000_000


def load(path: Path) -> dict[str, str]:
    """The index at `path`, empty if there is none or it cannot be understood."""
    try:
        content = json.loads(path.read_bytes())
        entries = content["cells"] if content["format"] == FORMAT else {}
    except (OSError, ValueError, RecursionError, KeyError, TypeError, IndexError):
        return {}
    return entries if isinstance(entries, dict) else {}


def save(path: Path, entries: Mapping[str, str]) -> None:
    """Write the index; where that is not allowed, go without one."""
    with contextlib.suppress(OSError):
        atomic_write_text(path, json.dumps({"format": FORMAT, "cells": entries}, separators=(",", ":")))


def signature(folder: str) -> str | None:
    """Size, time stamps (ns) and inode of the record and files in `folder`; None where there is no record.

    A missing file leaves a gap, as a whole cell has for files that cells of its kind do not have.
    """
    stat = os.stat  # looked up once: this runs 40,000 times for 10,000 cells
    try:
        found = stat(f"{folder}/{RECORD}")
    except OSError:
        return None
    text = f"{found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"
    for name in (*FILES, *RAW_FILES, *PROFILE_FILES):
        try:
            found = stat(f"{folder}/{name}")
        except OSError:
            text += " -"
        else:
            text += f" {found.st_size} {found.st_mtime_ns} {found.st_ctime_ns} {found.st_ino}"
    return text


def is_settled(signature: str, now_ns: int) -> bool:
    """Whether the last changes are so long ago that equal time stamps prove equal content."""
    changed = [int(number) for number in signature.split()[2::4] if number != "-"]
    return max(changed, default=0) < now_ns - FRESH_NS
