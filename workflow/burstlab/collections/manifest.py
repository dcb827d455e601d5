"""The manifest of a collection, `manifest.json`: what it is, where it comes from, and every file in it.

A collection is a folder of finished cells that are never measured here. It is whole when its files are exactly
those that its manifest lists, each with the size and SHA-256 listed.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from burstlab import __version__
from burstlab.collections.places import CELLS, EXACT_BATCHES, MANIFEST, RUNS
from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_json, sha256_of
from burstlab.sealed import parse_sealed, seal_of
from burstlab.study import values

FORMAT = 1
MANIFEST_SHA256 = "manifest_sha256"
FAULTS_SHOWN = 20

Evidence = Literal["measured", "simulated", "published"]
Sha256 = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


def _inside(path: str) -> str:
    parts = PurePosixPath(path).parts
    if not parts or path.startswith("/") or ".." in parts or "\\" in path or path != "/".join(parts):
        raise ValueError(f"{path!r} is not a path inside the collection")
    return path


class Part(BaseModel):
    """Base of the parts of a manifest: unknown keys are errors."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ListedFile(Part):
    """A file of the collection."""

    bytes: Annotated[int, Field(ge=0)]
    sha256: Sha256


class Manifest(Part):
    """A whole manifest.

    `title` is what the collection is called in a report, `origin` tells people where its cells come from.
    `versions` has the distinct versions of each program that the cells' records name, `hardware` the distinct
    machines. `burstlab` and `git_commit` are those of the program that made the collection. `files` maps paths
    relative to the collection, with forward slashes, to what stands there; the manifest itself is not among them.
    """

    format: Literal[1]
    name: Annotated[str, AfterValidator(values.name)]
    title: Annotated[str, Field(min_length=1)]
    origin: Annotated[str, Field(min_length=1)]
    evidence: Annotated[tuple[Evidence, ...], Field(strict=False, min_length=1)]
    created_utc: str
    burstlab: str
    git_commit: Annotated[str, Field(pattern="^[0-9a-f]{40,64}$")] | None
    versions: dict[str, Annotated[tuple[str, ...], Field(strict=False)]]
    hardware: Annotated[tuple[dict[str, Any], ...], Field(strict=False)]
    files: dict[Annotated[str, AfterValidator(_inside)], ListedFile]
    manifest_sha256: Sha256 = Field(
        description="SHA-256 of the other keys as JSON with sorted keys and no white space."
    )

    @property
    def records(self) -> tuple[str, ...]:
        """Paths of the records of its cells, `cells/<cell id>/cell.json`, sorted."""
        return self._records(CELLS)

    @property
    def profiled_records(self) -> tuple[str, ...]:
        """Paths of the records of its profiled runs, `profiles/cells/<cell id>/cell.json`, sorted."""
        return self._records(RUNS)

    @property
    def exact_batches(self) -> tuple[str, ...]:
        """Paths of the files with times of exact batches, sorted."""
        return tuple(sorted(path for path in self.files if path.startswith(f"{EXACT_BATCHES}/")))

    def _records(self, below: str) -> tuple[str, ...]:
        return tuple(
            sorted(
                path for path in self.files if path.startswith(f"{below}/") and path.endswith("/cell.json")
            )
        )


def write_manifest(
    folder: Path,
    *,
    name: str,
    title: str,
    origin: str,
    evidence: Sequence[str],
    versions: Mapping[str, Sequence[str]],
    hardware: Sequence[Mapping[str, Any]],
    git_commit: str | None,
    created_utc: str | None = None,
) -> Manifest:
    """Write `folder/manifest.json` for all files that are in `folder` now; write it last.

    `created_utc` is ISO 8601, by default now. Raises BurstlabError when a value does not fit, or when something
    in the folder is neither a file nor a folder.
    """
    files = {path: _listed(folder / path) for path in files_in(folder)}
    content: dict[str, Any] = {
        "format": FORMAT,
        "name": name,
        "title": title,
        "origin": origin,
        "evidence": sorted(set(evidence)),
        "created_utc": created_utc or datetime.now(UTC).isoformat(timespec="seconds"),
        "burstlab": __version__,
        "git_commit": git_commit,
        "versions": {program: sorted(set(some)) for program, some in sorted(versions.items())},
        "hardware": [dict(machine) for machine in hardware],
        "files": {path: entry.model_dump() for path, entry in files.items()},
    }
    content[MANIFEST_SHA256] = seal_of(content, MANIFEST_SHA256)
    path = folder / MANIFEST
    manifest = parse_sealed(json.dumps(content).encode(), path, Manifest, MANIFEST_SHA256)
    atomic_write_json(path, content)
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """The manifest of the collection in `folder`; the files that it lists are not looked at.

    Raises BurstlabError if it is missing, was edited or does not fit.
    """
    path = folder / MANIFEST
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise BurstlabError(f"{path}: is missing, so {folder} is not a collection") from None
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_sealed(data, path, Manifest, MANIFEST_SHA256)


def check_manifest(folder: Path) -> Manifest:
    """The manifest of the collection in `folder`, if every file is there and unchanged and there is no other.

    Reads all files. Raises BurstlabError with a line for each file that is missing, changed or extra, up to
    twenty.
    """
    manifest = read_manifest(folder)
    faults = list(_faults(folder, manifest))
    if faults:
        raise faulty(folder, faults)
    return manifest


def faulty(folder: Path, faults: Sequence[str]) -> BurstlabError:
    """The error that names these faults of the collection in `folder`."""
    lines = [f"{folder}: is not as its {MANIFEST} says:", *(f"  {fault}" for fault in faults[:FAULTS_SHOWN])]
    if len(faults) > FAULTS_SHOWN:
        lines.append(f"  and {len(faults) - FAULTS_SHOWN} more files")
    lines.append("Restore the collection whole: `git restore` one that shipped, import another one again.")
    return BurstlabError("\n".join(lines))


def files_in(folder: Path) -> list[str]:
    """Paths below `folder` of all files but the manifest, sorted, with forward slashes.

    Raises BurstlabError for a link or a special file: what it leads to is not a part of the collection.
    """
    paths = []
    for parent, folders, names in os.walk(folder):
        for name in [*folders, *names]:
            path = Path(parent, name)
            if path.is_symlink() or not (path.is_dir() or path.is_file()):
                raise BurstlabError(f"{path}: a collection holds plain files and folders only")
        below = Path(parent).relative_to(folder)
        paths += [(below / name).as_posix() for name in names]
    return sorted(path for path in paths if path != MANIFEST)


def _faults(folder: Path, manifest: Manifest) -> Iterator[str]:
    found = set(files_in(folder))
    for path, entry in sorted(manifest.files.items()):
        if path not in found:
            yield f"{path}: is missing"
            continue
        there = _listed(folder / path)
        if there.bytes != entry.bytes:
            yield f"{path}: was changed: it has {there.bytes} bytes, listed are {entry.bytes}"
        elif there.sha256 != entry.sha256:
            yield f"{path}: was changed: it does not have the listed sha256"
    for path in sorted(found - set(manifest.files)):
        yield f"{path}: is extra: not listed"


def _listed(path: Path) -> ListedFile:
    try:
        return ListedFile(bytes=path.stat().st_size, sha256=sha256_of(path))
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
