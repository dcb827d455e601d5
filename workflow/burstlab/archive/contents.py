"""Which files an archive holds beside its cells: the workflow that made them, and what was made of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import pyarrow.parquet as pq

import burstlab
from burstlab.archive.zip_file import Member
from burstlab.collections.manifest import read_manifest
from burstlab.collections.members import folders_of
from burstlab.collections.places import MANIFEST
from burstlab.errors import BurstlabError
from burstlab.exact_batches.targets import kept
from burstlab.files import sha256_of
from burstlab.records.cell_record import RECORD
from burstlab.records.schema import CellRecord
from burstlab.study.schema import Study

RESULTS = "results"
CHECKOUT = Path(burstlab.__file__).parents[2]
_WORKFLOW_FILES = ("Snakefile", "LICENSE", "CITATION.cff", "Makefile", "pyproject.toml")
_WORKFLOW_FOLDERS = ("workflow", "envs", "report", "profiles")
_SOURCES = {
    ".py",
    ".smk",
    ".json",
    ".yaml",
    ".yml",
    ".txt",
    ".toml",
    ".j2",
    ".css",
    ".js",
    ".rst",
    ".sh",
    ".md",
}


def workflow_files() -> list[Member]:
    """The workflow's own files, named as in its repository. BurstlabError where burstlab is not in a checkout."""
    root = CHECKOUT
    if not (root / "Snakefile").is_file():
        raise BurstlabError(f"{root}: has no Snakefile; an archive is packed from a checkout of burstlab")
    paths = [root / name for name in _WORKFLOW_FILES]
    for folder in _WORKFLOW_FOLDERS:
        paths += (root / folder).rglob("*")
    # Small, and edited while a study lies here: they are read once.
    return [
        Member.of_bytes(path.relative_to(root).as_posix(), path.read_bytes())
        for path in sorted(paths)
        if path.is_file() and _is_source(path, root)
    ]


def _is_source(path: Path, root: Path) -> bool:
    below = path.relative_to(root)
    hidden = any(part.startswith((".", "__pycache__")) for part in below.parts)
    return not hidden and (len(below.parts) == 1 or path.suffix in _SOURCES)


def cell_files(results: Path, records: Mapping[str, CellRecord]) -> Iterator[tuple[str, list[Member]]]:
    """For each cell its folder below `results` and its files, with the digests that its record has."""
    for name, record in records.items():
        folder = results / name
        own = folder / RECORD
        files = [Member(f"{RESULTS}/{name}/{RECORD}", own, own.stat().st_size, sha256_of(own))]
        for file, entry in sorted(record.files.items()):
            files.append(Member(f"{RESULTS}/{name}/{file}", folder / file, entry.bytes, entry.sha256))
        yield name, files


def study_files(results: Path, cells: Iterable[str]) -> list[Member]:
    """Tables, figures and the report of the whole study.

    Raises BurstlabError when the tables are missing or lack one of `cells`: then they are of another study.
    """
    table = results / "tables/cells.parquet"
    try:
        known = set(pq.read_table(table, columns=["cell"])["cell"].to_pylist())
    except (OSError, ValueError) as error:
        raise BurstlabError(
            f"{table}: cannot be read; run snakemake first, or pack cells alone with --cells '*': {error}"
        ) from error
    lacking = sorted(set(cells) - known)
    if lacking:
        raise BurstlabError(
            f"{table}: lacks {lacking[0]} and {len(lacking) - 1} more cells; run snakemake first"
        )
    paths = [*(results / "tables").rglob("*"), *(results / "figures").rglob("*"), results / "report.html"]
    wanted = [path for path in sorted(paths) if path.is_file() and not path.name.startswith(".")]
    return [_member(path, results, "results/") for path in wanted]


def exact_batches_files(study: Study) -> list[Member]:
    """The times of exact batches of the study's engines; those that an earlier study asked for are none of it."""
    return [_member(path, study.root) for path in sorted(kept(study))]


def collection_files(study: Study) -> list[Member]:
    """All files of the study's collections, with the digests that their manifests have; the manifests, too."""
    members = []
    for folder in folders_of(study):
        manifest = read_manifest(study.root / folder)
        members.append(_member(study.root / folder / MANIFEST, study.root))
        for name, entry in sorted(manifest.files.items()):
            path = f"{folder}/{name}"
            members.append(Member(path, study.root / path, entry.bytes, entry.sha256))
    return members


def dataset_records(resources: Path, names: Iterable[str]) -> list[Member]:
    """The records of the datasets: what they were and their digests. The data itself is under its own licence."""
    paths = [resources / "datasets" / name / "dataset.json" for name in sorted(names)]
    return [_member(path, resources, "resources/") for path in paths if path.is_file()]


def _member(path: Path, root: Path, below: str = "") -> Member:
    return Member(below + path.relative_to(root).as_posix(), path, path.stat().st_size, sha256_of(path))
