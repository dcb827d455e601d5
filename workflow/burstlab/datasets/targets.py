"""Which prepared datasets a cell needs, and the record of each, which is its target."""

import os
from pathlib import Path

from burstlab.datasets.recipe import FOLDER, folder_name
from burstlab.datasets.record import NAME
from burstlab.datasets.whole import damage
from burstlab.files import atomic_write_text
from burstlab.study.cells import Cell
from burstlab.study.schema import Study


def datasets_used(study: Study) -> list[str]:
    """The datasets that a workload sends or a block replays, sorted."""
    sent = {study.workloads[workload].dataset for block in study.every_block for workload in block.workloads}
    replayed = {trace for block in study.every_block for trace in block.traces}
    return sorted((sent | replayed) & study.datasets.keys())


def dataset_record(study: Study, name: str) -> str:
    """The file that says the dataset is prepared. Its folder is named after its recipe: another one, another target."""
    return str(FOLDER / folder_name(name, study.datasets[name]) / NAME)


def dataset_records(study: Study, cell: Cell) -> list[str]:
    """Records of the datasets whose prompts or timestamps the cell uses; none for random prompts.

    A simulated cell sends no text: lengths and times of what is synthetic are drawn without files.
    """
    used = {study.workloads[cell.workload].dataset, cell.arrivals.trace}
    names = [name for name in study.datasets if name in used]
    if study.platforms[cell.platform].simulated:
        names = [name for name in names if not study.datasets[name].synthetic]
    return sorted(dataset_record(study, name) for name in names)


def last_damage(study: Study, name: str, memory: Path) -> str:
    """A file, kept here in `memory`, that is newer than the record of a damaged dataset, so that Snakemake prepares it anew.

    Of one that never was damaged it is older than any record.
    """
    record = Path(dataset_record(study, name))
    path = memory / "damage" / f"{record.parent.name}.txt"
    found = damage(record.parent)
    if found is not None:
        atomic_write_text(path, f"{found}\n")
    elif not path.exists():
        atomic_write_text(path, "none\n")
        os.utime(path, (1, 1))
    return str(path)


def local_copy(study: Study, name: str) -> list[str]:
    """The user's own file of a dataset, so that it is read anew when it changes.

    A missing one is left out: the job reports it, and says what belongs there.
    """
    path = study.datasets[name].path
    return [path] if path is not None and Path(path).is_file() else []
