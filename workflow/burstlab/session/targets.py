"""Which cells a session has to measure, which files it needs for that, and what its job is called."""

import hashlib
from collections.abc import Callable, Iterable, Mapping

from burstlab.records.status import Verdict
from burstlab.study.cells import Cell, Session
from burstlab.study.schema import Study

RESULTS = "results"
GPU_SESSION_CORES = 4


def cell_record(cell: Cell) -> str:
    """The file that says the cell is measured."""
    return f"{RESULTS}/cells/{cell.id}/cell.json"


def job_name(session: Session) -> str:
    """The session's id as a part of a rule's or a file's name."""
    return session.id.replace("/", "--")


def unmeasured(session: Session, status: Mapping[Cell, Verdict]) -> list[Cell]:
    """Cells of the session that are missing or stale."""
    return [cell for cell in session.cells if status[cell].state != "valid"]


def stale(session: Session, status: Mapping[Cell, Verdict]) -> list[Cell]:
    """Cells of the session whose record is there, but is not what is asked for or is damaged."""
    return [cell for cell in session.cells if status[cell].state == "stale"]


def cores(session: Session, study: Study, available: int | None) -> int:
    """CPU cores that the session's job takes of the `available` ones (None: a cluster gives what is asked for).

    All on a CPU platform, unless the configuration says less: whatever else ran there would be measured too.
    """
    platform = study.platforms[session.platform]
    if platform.cores is not None:
        return platform.cores
    if platform.kind == "cpu" and available is not None:
        return available
    return GPU_SESSION_CORES


def forced_by(session: Session, status: Mapping[Cell, Verdict]) -> list[str]:
    """A file that is made before the session and is newer than its stale records, which makes Snakemake run it.

    It is named after what is wrong, so that what goes wrong anew is another file. Empty when nothing is stale.
    """
    wrong = [f"{cell.id}: {status[cell].reason}" for cell in stale(session, status)]
    digest = hashlib.sha256("\n".join(wrong).encode()).hexdigest()[:16]
    return [f".snakemake/burstlab/stale/{job_name(session)}-{digest}"] if wrong else []


def needs(
    session: Session,
    study: Study,
    environment_record: Callable[[str], str | None],
    model_record: Callable[[str], Iterable[str]],
    dataset_records: Callable[[Cell], Iterable[str]],
) -> list[str]:
    """Records of all that must be built before the session can start, sorted."""
    environment = environment_record(study.engines[session.engine].environment)
    found = (
        {*model_record(session.model)} if environment is None else {environment, *model_record(session.model)}
    )
    return sorted(found.union(*map(dataset_records, session.cells)))
