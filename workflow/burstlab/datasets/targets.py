"""Which prepared datasets a cell needs, and the record of each, which is its target."""

from pathlib import Path

from burstlab.study.cells import Cell
from burstlab.study.schema import Study


def dataset_record(name: str) -> str:
    """The file that says the dataset is prepared; a name in braces makes a rule's pattern."""
    return f"resources/datasets/{name}/dataset.json"


def dataset_records(study: Study, cell: Cell) -> list[str]:
    """Records of the datasets whose prompts or timestamps the cell uses; none for random prompts."""
    names = {study.workloads[cell.workload].dataset, cell.arrivals.trace}
    return sorted(dataset_record(name) for name in names if name in study.datasets)


def local_copy(study: Study, name: str) -> list[str]:
    """The user's own file of a dataset, so that it is read anew when it changes.

    A missing one is left out: the job reports it, and says what belongs there.
    """
    path = study.datasets[name].path
    return [path] if path is not None and Path(path).is_file() else []
