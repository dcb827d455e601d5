"""Preparing a dataset of the configuration: its files and, last, its record."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path

import burstlab
from burstlab.datasets import record
from burstlab.datasets.azure import prepare_azure
from burstlab.datasets.burstgpt import prepare_burstgpt
from burstlab.datasets.download import download, file_name
from burstlab.datasets.lengths import Prepared
from burstlab.datasets.mooncake import prepare_mooncake
from burstlab.datasets.recipe import recipe_of
from burstlab.datasets.sharegpt import prepare_sharegpt
from burstlab.datasets.sources import source_of
from burstlab.datasets.synthetic_burstgpt import make_synthetic_burstgpt
from burstlab.datasets.synthetic_sharegpt import make_synthetic_sharegpt
from burstlab.errors import BurstlabError
from burstlab.files import sha256_of
from burstlab.study.schema import Dataset

_LOG = logging.getLogger(__name__)
DOWNLOADS = Path("resources/downloads")

_READERS: dict[str, Callable[[Path, Path], Prepared]] = {
    "sharegpt": prepare_sharegpt,
    "azure-trace": prepare_azure,
    "mooncake-trace": prepare_mooncake,
}
_MAKERS: dict[str, Callable[[Dataset, Path], Prepared]] = {
    "synthetic-sharegpt": make_synthetic_sharegpt,
    "synthetic-burstgpt": make_synthetic_burstgpt,
}


def prepare(
    name: str, dataset: Dataset, folder: Path, downloads: Path = DOWNLOADS, root: Path = Path()
) -> None:
    """Write the dataset's files into `folder` and, last, `folder/dataset.json`.

    `data.json` or `data.csv` holds prompts or lengths for vLLM's client, `timestamps.csv` arrivals for a
    trace. A download is kept in `downloads`; a relative `path` starts from `root`. What stood in `folder`
    is replaced.

    Raises BurstlabError when the source cannot be had, has another checksum, is malformed or has no
    usable row.
    """
    source = source_of(dataset.source)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / record.NAME).unlink(missing_ok=True)  # until all is there again, nothing is
    _LOG.info("dataset %s: %s; licence: %s; from: %s", name, source.title, source.licence, source.publisher)
    origin = None if dataset.synthetic else _source_file(name, dataset, downloads, root)
    prepared = _MAKERS[dataset.source](dataset, folder) if origin is None else _read(dataset, origin, folder)
    written = record.DatasetRecord(
        name=name,
        source=dataset.source,
        title=source.title,
        synthetic=source.synthetic,
        licence=source.licence,
        publisher=source.publisher,
        url=dataset.url,
        source_file=record.File.of(origin) if origin else None,
        files={file: record.File.of(folder / file) for file in prepared.files},
        rows_kept=prepared.rows_kept,
        rows_dropped=dict(prepared.rows_dropped),
        lengths=prepared.lengths,
        recipe=recipe_of(dataset),
        burstlab_version=burstlab.__version__,
    )
    record.write_record(written, folder)
    _LOG.info(
        "dataset %s: %d rows kept, dropped: %s", name, prepared.rows_kept, written.rows_dropped or "none"
    )


def _read(dataset: Dataset, origin: Path, folder: Path) -> Prepared:
    if dataset.source == "burstgpt":
        return prepare_burstgpt(origin, folder, dataset.max_total_tokens)
    return _READERS[dataset.source](origin, folder)


def _source_file(name: str, dataset: Dataset, downloads: Path, root: Path) -> Path:
    if dataset.path is None:
        if dataset.url is None:
            raise BurstlabError(f"datasets.{name} needs a url or a path")
        return download(dataset.url, dataset.sha256, downloads / file_name(dataset.url))
    path = root / dataset.path
    if not path.is_file():
        raise BurstlabError(f"datasets.{name}.path: {path} is no file; put {dataset.source}'s data there")
    if dataset.sha256 is not None and (found := sha256_of(path)) != dataset.sha256:
        raise BurstlabError(
            f"datasets.{name}.path: {path} has SHA-256 {found}, but sha256 asks for {dataset.sha256}"
        )
    return path
