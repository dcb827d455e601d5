"""Writing files so that a reader sees either the old content or the new one, never a part of it."""

from __future__ import annotations

import hashlib
import json
import secrets
import shutil
from pathlib import Path
from typing import Any


def atomic_write_bytes(path: Path, data: bytes) -> None:
    """Write `data` to `path`, making its folder if need be; on an error the old file stays as it was."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        temporary.write_bytes(data)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def atomic_write_text(path: Path, text: str) -> None:
    """Write `text` as UTF-8; see `atomic_write_bytes`."""
    atomic_write_bytes(path, text.encode())


def atomic_write_json(path: Path, value: Any) -> None:
    """Write `value` as indented JSON with a final newline; raises ValueError for NaN and infinity."""
    atomic_write_text(path, json.dumps(value, indent=2, allow_nan=False, ensure_ascii=False) + "\n")


def write_if_new(path: Path, text: str) -> str:
    """Write `text`, unless the file has it already, whose time stamp then stays; the path, as Snakemake takes it."""
    if not path.is_file() or path.read_text() != text:
        atomic_write_text(path, text)
    return str(path)


def move_into_place(source: Path, target: Path) -> None:
    """Move a file to `target`, from another file system too; `target` is never seen with a part of it."""
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")
    try:
        shutil.move(source, temporary)
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def sha256_of(path: Path) -> str:
    """SHA-256 of the file's content, in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
