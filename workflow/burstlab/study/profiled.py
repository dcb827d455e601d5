"""The profiled runs of a study, as cells of a study of their own: the same models and workloads on engines that record kernels.

So all that measures, caches and checks cells does so for profiled runs too, in a folder of their own, and no table of
performance can hold one.
"""

from __future__ import annotations

from typing import Literal

from burstlab.study.schema import Engine, Study


class ProfiledEngine(Engine):
    """An engine that records its kernels; the recorder is a part of what is measured, and so of a run's specification."""

    profiler: Literal["torch"]


def profiled(study: Study) -> Study | None:
    """The study of `study`'s profiled runs; None where it has none."""
    if study.profiles is None:
        return None
    profiler, requests = study.profiles.profiler, study.profiles.requests
    engines = {
        name: ProfiledEngine(**engine.model_dump(exclude_unset=True), profiler=profiler)
        for name, engine in study.engines.items()
    }
    workloads = {
        name: workload.model_copy(update={"requests": requests}) for name, workload in study.workloads.items()
    }
    changed = {"engines": engines, "workloads": workloads, "blocks": study.profiles.blocks, "profiles": None}
    return study.model_copy(update=changed).at(study.root)
