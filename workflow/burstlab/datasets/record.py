"""`dataset.json`: what a prepared dataset is and where it came from, written last."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from burstlab.datasets.lengths import Lengths
from burstlab.datasets.recipe import recipe_of
from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_text, sha256_of
from burstlab.study.schema import Dataset

NAME = "dataset.json"


class File(BaseModel):
    """Size and checksum of one file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    bytes: int = Field(ge=0)
    sha256: str = Field(pattern="^[0-9a-f]{64}$")

    @staticmethod
    def of(path: Path) -> File:
        """Measure the file at `path`."""
        return File(bytes=path.stat().st_size, sha256=sha256_of(path))


class DatasetRecord(BaseModel):
    """The record of a prepared dataset.

    `source_file` is the downloaded or local file it was read from (None for a synthetic one) and `files`
    what was written. `recipe` is the configuration's entry, from which a synthetic dataset can be made
    again byte for byte.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1] = 1
    name: str
    source: str
    title: str
    synthetic: bool
    licence: str
    publisher: str
    url: str | None
    source_file: File | None
    files: dict[str, File]
    rows_kept: int = Field(ge=0)
    rows_dropped: dict[str, int]
    lengths: Lengths | None
    recipe: dict[str, Any]
    burstlab_version: str


def write_record(record: DatasetRecord, folder: Path) -> None:
    """Write `folder/dataset.json` atomically."""
    atomic_write_text(folder / NAME, record.model_dump_json(indent=2) + "\n")


def read_record(folder: Path) -> DatasetRecord:
    """Read `folder/dataset.json`; raises BurstlabError when it is missing or not a valid record."""
    path = folder / NAME
    try:
        return DatasetRecord.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        raise BurstlabError(f"{path} is missing: the dataset has not been prepared") from None
    except (OSError, ValidationError) as error:
        raise BurstlabError(f"{path} is no valid dataset record: {error}") from error


def check_recipe(record: DatasetRecord, dataset: Dataset, folder: Path) -> None:
    """Raise BurstlabError when `record`, read from `folder`, is of something else than `dataset` asks for.

    Snakemake notices a changed recipe only as long as it has its metadata. Files with the same SHA-256
    are the same, wherever they came from.
    """
    asked, made = recipe_of(dataset), record.recipe
    if asked.get("sha256") is not None:
        asked, made = (
            {key: of.get(key) for key in ("source", "version", "sha256", "max_total_tokens")}
            for of in (asked, made)
        )
    if asked != made:
        raise BurstlabError(
            f"{folder / NAME} was prepared from {made}, but the configuration asks for {asked}: "
            f"remove {folder} to prepare it anew"
        )
