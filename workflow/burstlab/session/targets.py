"""Which cells a session has to measure, which files it needs for that, and what its job is called."""

import hashlib
from collections.abc import Callable, Container, Iterable, Mapping
from pathlib import Path

from burstlab.collections.members import CollectedCell
from burstlab.files import write_if_new
from burstlab.records.status import Verdict
from burstlab.study.cells import Cell, Session
from burstlab.study.schema import Study

RESULTS = "results"
MEMORY = Path(".snakemake/burstlab")
"""What the workflow remembers between its starts; nothing is lost with it."""
GPU_SESSION_CORES = 4


def cell_record(cell: Cell, results: str = RESULTS) -> str:
    """The file that says the cell is measured; `results` is where its study keeps such."""
    return f"{results}/cells/{cell.id}/cell.json"


def job_name(session: Session) -> str:
    """The session's id as a part of a rule's or a file's name."""
    return session.id.replace("/", "--")


def unmeasured(session: Session, status: Mapping[Cell, Verdict]) -> list[Cell]:
    """Cells of the session that are missing or stale."""
    return [cell for cell in session.cells if status[cell].state != "valid"]


def about_to_run(
    sessions: Iterable[Session], outputs: Container[str], results: str = RESULTS
) -> list[Session]:
    """The sessions of which a cell's record is among the `outputs` of jobs that are to run.

    Names of rules would not do: another workflow that imports this one may rename them.
    """
    return [one for one in sessions if any(cell_record(cell, results) in outputs for cell in one.cells)]


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
    if platform.simulated:
        return 1
    if platform.kind == "cpu" and available is not None:
        return available
    return GPU_SESSION_CORES


def forced_by(session: Session, status: Mapping[Cell, Verdict], folder: Path = MEMORY) -> list[str]:
    """A file, made here, that is newer than the session's stale records, so that Snakemake runs the session.

    Without its metadata Snakemake would see that all records exist, and go on with them. The file is named after what is wrong,
    so that what goes wrong anew is another file. Empty when nothing is stale.
    """
    wrong = [f"{cell.id}: {status[cell].reason}" for cell in stale(session, status)]
    if not wrong:
        return []
    text = "\n".join(wrong) + "\n"
    path = folder / "stale" / f"{job_name(session)}-{hashlib.sha256(text.encode()).hexdigest()[:16]}.txt"
    return [write_if_new(path, text)]


def asked_for(cells: Iterable[Cell], folder: Path = MEMORY, collected: Iterable[CollectedCell] = ()) -> str:
    """A file, made here, that lists the cells asked for, and is newer than tables of any others.

    Without its metadata Snakemake would not miss a cell that tables, being there, seem not to need, nor see that a
    collection's cell is another one now but has an old time stamp.
    """
    lines = [cell.id for cell in cells]
    lines += [f"{cell.id} {cell.record_sha256}" for cell in collected]
    return write_if_new(folder / "asked.txt", "\n".join(sorted(lines)) + "\n")


def needs(
    session: Session,
    study: Study,
    environment_record: Callable[[str], str | None],
    model_record: Callable[[str], Iterable[str]],
    dataset_records: Callable[[Cell], Iterable[str]],
) -> list[str]:
    """Records of all that must be built before the session can start, sorted."""
    if study.platforms[session.platform].simulated:
        return sorted({record for cell in session.cells for record in dataset_records(cell)})
    environment = environment_record(study.engines[session.engine].environment)
    found = (
        {*model_record(session.model)} if environment is None else {environment, *model_record(session.model)}
    )
    return sorted(found.union(*map(dataset_records, session.cells)))
