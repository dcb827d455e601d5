"""The workflow's job that prepares a dataset: a log, and a short message when it fails."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from burstlab.datasets.prepare import prepare
from burstlab.errors import BurstlabError
from burstlab.study.schema import Dataset


def prepare_from_workflow(name: str, recipe: Mapping[str, Any], record: Path, root: Path, log: Path) -> None:
    """Prepare the dataset `name` as its configuration entry `recipe` says, so that `record` is written.

    Progress goes to `log`. Raises SystemExit with one message where the user can mend what is wrong.
    """
    logging.basicConfig(filename=log, level=logging.INFO, format="%(asctime)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # it would log signed addresses that redirects lead to
    try:
        prepare(name, Dataset(**recipe), record.parent, root=root)
    except BurstlabError as error:
        logging.getLogger(__name__).error("dataset %s failed: %s", name, error)
        raise SystemExit(f"dataset {name} failed: {error}") from None
