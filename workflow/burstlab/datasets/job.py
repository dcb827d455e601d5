"""The workflow's job that prepares a dataset: a log, and a short message when it fails."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from burstlab.datasets.prepare import prepare
from burstlab.errors import BurstlabError
from burstlab.study.schema import Dataset


def prepare_from_workflow(name: str, recipe: Mapping[str, Any], record: Path, log: Path) -> None:
    """Prepare the dataset `name` as its configuration entry `recipe` says, so that `record` is written.

    Relative paths start from the working directory, which is the study's root. The licence and progress go to
    `log` and to standard error. Raises SystemExit with one message where the user can mend what is wrong.
    """
    screen = logging.StreamHandler()
    screen.addFilter(lambda message: message.levelno < logging.ERROR)  # SystemExit prints the error itself
    handlers: list[logging.Handler] = [logging.FileHandler(log), screen]
    logging.basicConfig(handlers=handlers, level=logging.INFO, format="%(asctime)s %(message)s")
    logging.getLogger("httpx").setLevel(logging.WARNING)  # or signed addresses of redirects get into the log
    try:
        prepare(name, Dataset(**recipe), record.parent)
    except BurstlabError as error:
        logging.getLogger(__name__).error("dataset %s failed: %s", name, error)
        raise SystemExit(f"dataset {name} failed: {error}") from None
