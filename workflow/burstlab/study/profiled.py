"""The profiled runs of a study, as cells of a study of their own: the same models and workloads on engines that record kernels.

So all that measures, caches and checks cells does so for profiled runs too, in a folder of their own, and no table of
performance can hold one.
"""

from __future__ import annotations

from typing import Literal

from burstlab.errors import BurstlabError
from burstlab.study.schema import Engine, Study

# Raise it when kernels are recorded in another way, so that all profiled runs are measured again.
RECORDING = 1


class ProfiledEngine(Engine):
    """An engine that records its kernels; the recorder is a part of what is measured, and so of a run's specification.

    But for `keep_trace`, which says what becomes of the trace.
    """

    profiler: Literal["torch", "nsys"]
    recording: int = RECORDING
    nsys_arguments: tuple[str, ...] | None = None
    keep_trace: bool = False


OF_RECORDING = frozenset(ProfiledEngine.model_fields) - frozenset(Engine.model_fields)
"""The keys that say how kernels are recorded, which mean nothing where none run."""


def profiled(study: Study) -> Study | None:
    """The study of `study`'s profiled runs; None where it has none."""
    if study.profiles is None:
        return None
    asked = study.profiles
    recorder = {
        "profiler": asked.profiler,
        "nsys_arguments": asked.nsys_arguments,
        "keep_trace": asked.keep_traces,
    }
    engines = {
        name: ProfiledEngine.model_validate(engine.model_dump(exclude_unset=True) | recorder)
        for name, engine in study.engines.items()
    }
    workloads = {
        name: workload.model_copy(update={"requests": asked.requests})
        for name, workload in study.workloads.items()
    }
    changed = {"engines": engines, "workloads": workloads, "blocks": asked.blocks, "profiles": None}
    return study.model_copy(update=changed).at(study.root)


def runs_of(study: Study) -> Study:
    """`profiled`, in a job that was planned for profiled runs; BurstlabError where the study has none."""
    runs = profiled(study)
    if runs is None:
        raise BurstlabError(
            "the configuration no longer has profiles, which this run of the workflow was started for"
        )
    return runs
