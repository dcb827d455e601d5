"""The timestamps of a prepared trace, once it is sure that they are those of the configuration."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from burstlab.datasets.record import check_recipe
from burstlab.datasets.timestamps import NAME, read_timestamps_s
from burstlab.datasets.whole import read_whole
from burstlab.errors import BurstlabError
from burstlab.study.schema import Dataset


def trace_s(name: str, dataset: Dataset, folder: Path) -> np.ndarray:
    """Arrivals in seconds, shape (rows,), of the dataset `name` of the configuration, prepared in `folder`.

    Raises BurstlabError when it is not prepared, has no timestamps, was prepared from something else than `dataset` says,
    or is damaged.
    """
    record = read_whole(folder)
    check_recipe(record, dataset, folder)
    if NAME not in record.files:
        raise BurstlabError(f"datasets.{name}: a {dataset.source} dataset has no timestamps to replay")
    return read_timestamps_s(folder)
