"""Files that ship with burstlab and are named in a configuration, found from any other folder too."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any


def find_shipped_locks(config: MutableMapping[str, Any], root: Path, checkout: Path) -> None:
    """Make locks of environments that are not below `root` but below `checkout` absolute paths, in `config` itself.

    A workflow that imports burstlab as a module has no `envs/` of its own. A lock of the same name in `root`
    wins. What is not as a configuration should be is left for the schema to find.
    """
    environments = config.get("environments")
    if not isinstance(environments, MutableMapping):
        return
    for environment in environments.values():
        lock = environment.get("lock") if isinstance(environment, MutableMapping) else None
        if isinstance(lock, str) and not (root / lock).exists() and (checkout / lock).is_file():
            environment["lock"] = str(checkout / lock)
