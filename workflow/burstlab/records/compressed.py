"""Raw files of a cell kept as zstd, which `zstd -d` reads too."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_bytes

SUFFIX = ".zst"
# A file of a few kilobytes can stand for terabytes of zeros; no raw file of a cell comes near this.
MOST_BYTES = 1 << 30
_LEVEL = 19
_CHUNK = 1 << 20


def write_compressed(path: Path, data: bytes) -> None:
    """Write `data` to `path` as one zstd frame, atomically; the same data give the same bytes."""
    atomic_write_bytes(path, pa.Codec("zstd", _LEVEL).compress(data, asbytes=True))


def read_compressed(path: Path) -> bytes:
    """What the file at `path` holds; BurstlabError if it cannot be read, is no zstd, or holds over 1 GiB."""
    parts, size = [], 0
    try:
        data = path.read_bytes()
        if not data:  # nothing compressed is something
            raise BurstlabError(f"{path}: cannot be read: it is empty")
        with pa.CompressedInputStream(pa.BufferReader(data), "zstd") as stream:
            while part := stream.read(_CHUNK):
                parts.append(part)
                size += len(part)
                if size > MOST_BYTES:
                    raise BurstlabError(
                        f"{path}: holds more than {MOST_BYTES} bytes, which no cell's file does"
                    )
    except (pa.ArrowException, OSError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BurstlabError(f"{path}: cannot be read: {reason}") from error
    return b"".join(parts)
