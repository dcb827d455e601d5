"""The workflow's job that moves stale cells out of the way before they are measured again."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from burstlab.errors import BurstlabError
from burstlab.records.retire import retire
from burstlab.session.places import Places
from burstlab.study.expand import cells
from burstlab.study.load import load_study


def retire_from_workflow(*, config: Mapping[str, Any], stale: Iterable[str], log: Path) -> None:
    """Retire the cells with the ids `stale`, and say in `log` where each went. Raises SystemExit when one cannot be moved."""
    by_id = {cell.id: cell for cell in cells(load_study(config, [], Path.cwd()))}
    with log.open("w") as sink:
        for name in stale:
            try:
                print(f"{name}: moved to {retire(by_id[name], Places().results)}", file=sink)
            except BurstlabError as error:
                raise SystemExit(f"cell {name} cannot be retired: {error}") from None
