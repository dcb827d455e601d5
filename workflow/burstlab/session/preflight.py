"""What can be known to fail before the engine starts: prompts and arrivals of the cells to measure."""

from __future__ import annotations

from collections.abc import Sequence

from burstlab.datasets.vllm_arguments import dataset_arguments
from burstlab.session.measure import planned_send_s
from burstlab.session.places import Places
from burstlab.study.cells import Cell
from burstlab.study.schema import Study


def check_requests(study: Study, cells: Sequence[Cell], places: Places) -> None:
    """Plan what each workload sends, and when, once. Raises BurstlabError where a dataset is missing, stale or too short."""
    seen = set()
    for cell in cells:
        kind = (cell.workload, cell.arrivals)
        if kind not in seen:
            seen.add(kind)
            dataset_arguments(study.workloads[cell.workload], study.datasets, places.datasets, cell.seed)
            planned_send_s(study, cell, places)
