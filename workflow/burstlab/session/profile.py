"""From what a profiled engine recorded to the tables of a profiled run."""

from __future__ import annotations

from pathlib import Path

from burstlab.files import move_into_place
from burstlab.profiles.read import read_profile
from burstlab.profiles.store import write_iterations, write_launches
from burstlab.records.cell_record import KERNELS, PROFILED_ITERATIONS
from burstlab.session.recorder import Recorder


def keep_profile(recorder: Recorder, folder: Path, traces: Path | None = None) -> None:
    """Write the tables of launches and of iterations that were recorded to `folder`.

    The trace, many times as large, goes to the folder `traces` if one is given. Raises BurstlabError when there is none.
    """
    trace = recorder.trace()
    profile = read_profile(trace)
    write_launches(folder / KERNELS, profile.launches)
    write_iterations(folder / PROFILED_ITERATIONS, profile.iterations)
    if traces is not None:
        traces.mkdir(parents=True, exist_ok=True)
        for path in sorted(recorder.folder.iterdir()):
            move_into_place(path, traces / path.name)
