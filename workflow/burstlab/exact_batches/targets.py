"""Which engines have exact batches timed, and the file of each."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from burstlab.study.cells import Cell, Session
from burstlab.study.schema import Study

FOLDER = "results/profiles/exact_batches"
KINDS = ("cpu", "cuda")


def engines_timed(study: Study, runs: Iterable[Cell]) -> list[Session]:
    """The engines of the study's profiled runs that really run, each as a session without cells."""
    engines = sorted({(run.platform, run.model, run.engine) for run in runs})
    return [Session(*names, 0, ()) for names in engines if study.platforms[names[0]].kind in KINDS]


def times_file(session: Session) -> str:
    """The file with the times of one engine."""
    return f"{FOLDER}/{session.platform}/{session.model}/{session.engine}.json"


def to_show(study: Study, runs: Iterable[Cell]) -> list[str]:
    """The files of all engines; of a study that measures nothing, those that are there."""
    files = [times_file(session) for session in engines_timed(study, runs)]
    return [file for file in files if study.mode != "cached" or Path(file).is_file()]
