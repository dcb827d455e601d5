"""Which environments of a study the workflow builds, and the record of each, which is its target."""

from pathlib import Path

from burstlab.environments.build import record_path
from burstlab.environments.interpreter import BUILT
from burstlab.study.schema import Study


def locked(study: Study) -> list[str]:
    """The environments that the study's engines use and that have a lock, sorted; none of engines that are only simulated."""
    only_simulated = _engines(study, simulated=True) - _engines(study, simulated=False)
    used = {engine.environment for name, engine in study.engines.items() if name not in only_simulated}
    return sorted(name for name in used if study.environments[name].lock is not None)


def environment_record(study: Study, name: str) -> str | None:
    """The file that says the environment `name` is there; None for one that the user provides.

    Raises BurstlabError when its lock does not exist.
    """
    lock = study.environments[name].lock
    return None if lock is None else str(record_path(Path(lock), BUILT / name))


def _engines(study: Study, *, simulated: bool) -> set[str]:
    """Engines that blocks run on platforms that are simulated or not."""
    return {
        engine
        for block in study.every_block
        if any(study.platforms[name].simulated is simulated for name in block.platforms)
        for engine in block.engines
    }
