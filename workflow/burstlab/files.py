"""Writing files so that a reader sees either the old content or the new one, never a part of it."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any


def atomic_write_bytes(path: Path, data: bytes) -> None:
    """Write `data` to `path`, making its folder if need be; on an error the old file stays as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(temporary).chmod(0o666 & ~_umask())
        Path(temporary).replace(path)
    except BaseException:
        with contextlib.suppress(FileNotFoundError):
            Path(temporary).unlink()
        raise


def atomic_write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8; see `atomic_write_bytes`."""
    atomic_write_bytes(path, text.encode())


def atomic_write_json(path: Path, value: Any) -> None:
    """Write `value` as indented JSON with a final newline; raises ValueError for NaN and infinity."""
    atomic_write_text(path, json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def sha256_of(path: Path) -> str:
    """SHA-256 of the file's content, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _umask() -> int:
    # mkstemp makes files of mode 0600, which shared results must not have; the only way to read the mask is to
    # set it.
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
