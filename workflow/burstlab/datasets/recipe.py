"""What a dataset is prepared from: the part of a configuration's entry that decides, and the code's own version."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from burstlab.study.schema import Dataset

VERSIONS: Mapping[str, int] = {
    "sharegpt": 1,
    "burstgpt": 1,
    "azure-trace": 1,
    "mooncake-trace": 1,
    "synthetic-sharegpt": 1,
    "synthetic-burstgpt": 1,
}
"""By source. Raise one when its reader or generator writes other files for the same recipe: then its datasets are
prepared again, and the cells that used them are measured again."""

FOLDER = Path("resources/datasets")
"""Where the workflow prepares datasets, relative to the study's root."""

_RECIPE = {"source", "rows", "seed", "length_scale", "max_prompt_tokens", "max_output_tokens"}
_ORIGIN = {"source", "url", "sha256", "path", "max_total_tokens"}


def recipe_of(dataset: Dataset) -> dict[str, Any]:
    """The keys of a configuration's entry that decide what is prepared, without those that are not set."""
    keys = _RECIPE if dataset.synthetic else _ORIGIN
    chosen = dataset.model_dump(mode="json", include=keys, exclude_none=True)
    return {**chosen, "version": VERSIONS[dataset.source]}


def folder_name(name: str, dataset: Dataset) -> str:
    """Such as `talk-0f3a95b1c2d4`: two studies that call different recipes the same do not share a folder."""
    text = json.dumps(recipe_of(dataset), sort_keys=True)
    return f"{name}-{hashlib.sha256(text.encode()).hexdigest()[:12]}"
