"""Writing a zip whose bytes depend on its content alone, however large, whole or not at all."""

from __future__ import annotations

import hashlib
import secrets
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from burstlab.archive.privacy import Watch
from burstlab.errors import BurstlabError

CHUNK = 1 << 20
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the earliest time that a zip can state
_UNIX = 3
_PLAIN_FILE = 0o100644 << 16
_FOLDER = 0o040755 << 16 | 0x10
_COMPRESSED = {".parquet", ".zip", ".png"}

Content = bytes  # within `Member`, that word is its size


@dataclass(frozen=True, slots=True)
class Member:
    """A file of the archive: its `name` there, where its content is, and what that must be.

    A name that ends in a slash is a folder's, which has no content.
    """

    name: str
    source: Path | bytes
    bytes: int
    sha256: str

    @classmethod
    def of_text(cls, name: str, text: str) -> Member:
        """A member made of `text`, as UTF-8."""
        return cls.of_bytes(name, text.encode())

    @classmethod
    def of_bytes(cls, name: str, data: Content) -> Member:
        """A member that holds `data`."""
        return cls(name, data, len(data), hashlib.sha256(data).hexdigest())


def write_zip(path: Path, members: Iterable[Member], watch: Watch) -> None:
    """Write `members` in the order given; on an error an old file at `path` stays as it was.

    One chunk of one file is in memory at a time. Raises BurstlabError when a file is not what its member says.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with zipfile.ZipFile(temporary, "x", allowZip64=True) as archive:
            for member in members:
                _add(archive, member, watch)
        temporary.replace(path)
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be written: {error.strerror or error}") from error
    finally:
        temporary.unlink(missing_ok=True)


def _add(archive: zipfile.ZipFile, member: Member, watch: Watch) -> None:
    entry = zipfile.ZipInfo(member.name, _EPOCH)
    entry.create_system = _UNIX
    entry.external_attr = _FOLDER if entry.is_dir() else _PLAIN_FILE
    stored = entry.is_dir() or Path(member.name).suffix in _COMPRESSED
    entry.compress_type = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    entry.file_size = member.bytes
    digest, size = hashlib.sha256(), 0
    look = watch.over(member.name)
    with archive.open(entry, "w") as sink:
        for chunk in _chunks(member):
            digest.update(chunk)
            size += len(chunk)
            look(chunk)
            sink.write(chunk)
    if size != member.bytes or digest.hexdigest() != member.sha256:
        raise BurstlabError(f"{member.source!s}: changed while it was packed; pack again when nothing runs")


def _chunks(member: Member) -> Iterable[bytes]:
    if isinstance(member.source, bytes):
        yield member.source
        return
    try:
        with member.source.open("rb") as file:
            while chunk := file.read(CHUNK):
                yield chunk
    except OSError as error:
        raise BurstlabError(f"{member.source}: cannot be read: {error.strerror}") from error
