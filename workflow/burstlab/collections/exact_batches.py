"""Copies of the times of exact batches, whose platform is named after the machine they were timed on."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_json


def copy_exact_batches(files: Iterable[Path], target: Path, platforms: Mapping[str, str]) -> Iterator[Path]:
    """Copy each file, `<platform>/<model>/<engine>-<hash>.json`, to its place below `target`; yields where it is then.

    The platform's new name is in the path and in the file. BurstlabError where a file is not as it was written.
    """
    for path in files:
        try:
            said = json.loads(path.read_bytes())
            platform = platforms[said["platform"]]
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise BurstlabError(f"{path}: not the times of exact batches: {error!r}") from error
        copy = target / platform / path.parent.name / path.name
        atomic_write_json(copy, {**said, "platform": platform})
        yield copy
