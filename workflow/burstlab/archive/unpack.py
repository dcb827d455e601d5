"""Reading an archive that may have been damaged, or made to do damage."""

from __future__ import annotations

import hashlib
import json
import stat
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

from burstlab.archive.metadata import METADATA
from burstlab.errors import BurstlabError

CHUNK = 1 << 20
MOST_FILES = 500_000
MOST_METADATA_BYTES = 512 << 20
MOST_FILE_BYTES = 4 << 30
# What cells hold shrinks to a fifth; a bomb's content to a thousandth.
MOST_SHRINKING = 200
_SMALL_BYTES = 1 << 20


@dataclass(frozen=True)
class Listed:
    """What the metadata say of a file."""

    bytes: int
    sha256: str


class Archive:
    """An open archive: `listed` maps the names of its files to what they must be."""

    def __init__(self, path: Path, zip_file: zipfile.ZipFile) -> None:
        self.path = path
        self._zip = zip_file
        self._entries = self._checked_entries()
        self.listed = self._read_listed()

    def leave_out(self, folder: str) -> None:
        """From now on, have nothing of what lies below `folder`."""
        self.listed = {name: one for name, one in self.listed.items() if not name.startswith(f"{folder}/")}

    def extract(self, name: str, target: Path) -> None:
        """Write the file `name` to `target`, whose folder is there.

        Raises BurstlabError when it is not in the archive, or its content is not what the metadata say.
        """
        listed, entry = self.listed.get(name), self._entries.get(name)
        if listed is None or entry is None:
            raise BurstlabError(f"{self.path}: {name}: is {'not listed' if entry else 'missing'}")
        digest, size = hashlib.sha256(), 0
        with target.open("xb") as sink:
            for chunk in self._chunks(entry, listed.bytes):
                digest.update(chunk)
                size += len(chunk)
                sink.write(chunk)
        if size != listed.bytes:
            raise BurstlabError(f"{self.path}: {name}: has {size} bytes, the metadata say {listed.bytes}")
        if digest.hexdigest() != listed.sha256:
            raise BurstlabError(
                f"{self.path}: {name}: is damaged: it does not have the sha256 that the metadata say"
            )

    def _checked_entries(self) -> dict[str, zipfile.ZipInfo]:
        entries = self._zip.infolist()
        if len(entries) > MOST_FILES:
            raise BurstlabError(f"{self.path}: has {len(entries)} files; at most {MOST_FILES} are read")
        found: dict[str, zipfile.ZipInfo] = {}
        for entry in entries:
            reason = _unsafe(entry)
            if reason is None and entry.filename in found:
                reason = "stands there twice"
            if reason is not None:
                raise BurstlabError(f"{self.path}: {ascii(entry.filename)[:80]}: {reason}; nothing was read")
            found[entry.filename] = entry
        return found

    def _read_listed(self) -> Mapping[str, Listed]:
        entry = self._entries.get(METADATA)
        if entry is None:
            raise BurstlabError(f"{self.path}: has no {METADATA}, so it is no archive of burstlab")
        data = b"".join(self._chunks(entry, MOST_METADATA_BYTES))
        try:
            graph = json.loads(data)["@graph"]
            return dict(_listed(graph))
        except (ValueError, OverflowError, RecursionError, LookupError, TypeError, AttributeError) as error:
            raise BurstlabError(f"{self.path}: {METADATA}: cannot be understood: {error}") from error

    def _chunks(self, entry: zipfile.ZipInfo, most_bytes: int) -> Iterator[bytes]:
        left = most_bytes
        try:
            with self._zip.open(entry) as source:
                while chunk := source.read(CHUNK):
                    left -= len(chunk)
                    if left < 0:
                        raise BurstlabError(
                            f"{self.path}: {entry.filename}: has more than {most_bytes} bytes"
                        )
                    yield chunk
        except (
            zipfile.BadZipFile,
            OSError,
            EOFError,
            ValueError,
            RuntimeError,
            NotImplementedError,
        ) as error:
            raise BurstlabError(f"{self.path}: {entry.filename}: is damaged: {error}") from error
        except Exception as error:
            # Each way of compressing has an exception of its own for content that is none.
            if type(error).__module__ not in {"zlib", "lzma", "_lzma", "bz2"}:
                raise
            raise BurstlabError(f"{self.path}: {entry.filename}: is damaged: {error}") from error


@contextmanager
def opened(path: Path) -> Iterator[Archive]:
    """The archive at `path`, its names and sizes checked; BurstlabError when it is none or is unsafe."""
    try:
        zip_file = zipfile.ZipFile(path)
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (zipfile.BadZipFile, ValueError, NotImplementedError) as error:
        raise BurstlabError(f"{path}: is no readable zip: {error}") from error
    with zip_file:
        yield Archive(path, zip_file)


def _unsafe(entry: zipfile.ZipInfo) -> str | None:
    """Why an entry must not be read, if so."""
    name, kind = entry.filename, stat.S_IFMT(entry.external_attr >> 16)
    parts = PurePosixPath(name).parts
    if not parts or name.startswith("/") or ".." in parts or any(mark in name for mark in "\\:\0"):
        return "is no path inside the archive"
    if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
        return "is a link or a special file"
    if entry.flag_bits & 1:
        return "is encrypted"
    if entry.file_size > MOST_FILE_BYTES:
        return f"has {entry.file_size} bytes; at most {MOST_FILE_BYTES} are read"
    if entry.file_size > _SMALL_BYTES and entry.file_size > MOST_SHRINKING * max(entry.compress_size, 1):
        return f"unpacks to {entry.file_size} bytes from {entry.compress_size}, as a zip bomb does"
    return None


def _listed(graph: list[dict[str, Any]]) -> Iterator[tuple[str, Listed]]:
    for entity in graph:
        kinds = entity["@type"]
        if "File" in (kinds if isinstance(kinds, list) else [kinds]) and "sha256" in entity:
            yield unquote(entity["@id"]), Listed(int(entity["contentSize"]), str(entity["sha256"]))
