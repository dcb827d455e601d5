"""The record of a cell, `cell.json`: written last, and valid only together with the files it lists."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from burstlab.errors import BurstlabError
from burstlab.files import atomic_write_text, sha256_of
from burstlab.records.observed import Observed
from burstlab.records.schema import FORMAT, CellRecord, Gate, Identity, Imported, LogLines, Simulation
from burstlab.sealed import parse_sealed, seal_of
from burstlab.secret_names import without_secret_arguments
from burstlab.study.cells import Cell
from burstlab.study.specification import specification_sha256

RECORD = "cell.json"
BENCH = "bench.json"
REQUESTS = "requests.parquet"
ITERATIONS = "iterations.parquet"
ITERATIONS_LOG = "iterations.log.zst"
TABLES = (REQUESTS, ITERATIONS)
"""Every cell has these; a simulated one has nothing else, unless it is a profiled run."""
FILES = (BENCH, *TABLES)
"""Every cell that an engine measured has these."""
KERNELS = "kernels.parquet"
PROFILED_ITERATIONS = "profiled_iterations.parquet"
RAW_FILES = (ITERATIONS_LOG,)
"""A cell that an engine measured has these, too; those of before they were kept do not."""
PROFILE_FILES = (KERNELS, PROFILED_ITERATIONS)
"""A profiled run has these, too."""
RECORD_SHA256 = "record_sha256"

MEASURED = "measured"
SIMULATED = "simulated"


def write_record(
    folder: Path,
    *,
    cell: Cell,
    evidence: str,
    specification: Mapping[str, Any],
    versions: Mapping[str, str | None],
    hardware: Mapping[str, Any],
    commands: Mapping[str, Any],
    engine_reported: Mapping[str, Any],
    log_lines: LogLines,
    gates: tuple[Gate, ...],
    times: Mapping[str, str | float],
    summary: Mapping[str, int | float | None],
    imported: Imported | None = None,
    observed: Observed | None = None,
    simulation: Simulation | None = None,
) -> CellRecord:
    """Write `folder/cell.json` for the files already there, atomically; returns what was written.

    Raises BurstlabError when a file is missing or a value does not fit the record.
    """
    path = folder / RECORD
    content: dict[str, Any] = {
        "format": FORMAT,
        "cell": Identity.of(cell).model_dump(mode="json"),
        "evidence": evidence,
        "specification": dict(specification),
        "versions": dict(versions),
        "hardware": dict(hardware),
        "commands": {name: without_secret_arguments(arguments) for name, arguments in commands.items()},
        "engine_reported": dict(engine_reported),
        "log_lines": log_lines.model_dump(mode="json"),
        "gates": [gate.model_dump(mode="json") for gate in gates],
        "times": dict(times),
        "summary": dict(summary),
        "files": {
            name: _entry(folder / name)
            for name in [*_files(evidence), *_present(folder, _more_files(evidence))]
        },
    }
    if imported is not None:
        content["imported"] = imported.model_dump(mode="json")
    if observed is not None:
        content["observed"] = observed.model_dump(mode="json")
    if simulation is not None:
        content["simulation"] = simulation.model_dump(mode="json")
    return write_content(path, content)


def write_content(path: Path, content: Mapping[str, Any]) -> CellRecord:
    """Write the record with this content, its two hashes made anew, atomically; returns what was written.

    Raises BurstlabError when a value does not fit the record.
    """
    try:
        sealed = {**content, "specification_sha256": specification_sha256(dict(content["specification"]))}
        sealed[RECORD_SHA256] = seal_of(sealed, RECORD_SHA256)
        text = json.dumps(sealed, indent=1, allow_nan=False) + "\n"
    except (TypeError, ValueError) as error:
        raise BurstlabError(f"{path}: a value does not fit into JSON: {error}") from error
    record = parse_record(text.encode(), path)
    atomic_write_text(path, text)
    return record


def read_record(path: Path) -> CellRecord:
    """The record at `path`; BurstlabError if it cannot be read, was edited or does not fit the schema."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
    return parse_record(data, path)


def parse_record(data: bytes, path: Path) -> CellRecord:
    """The record with the content `data`; `path` is for messages. Errors are those of `read_record`."""
    return parse_sealed(data, path, CellRecord, RECORD_SHA256)


def check_folder(folder: Path, cell: Cell) -> CellRecord:
    """The record in `folder`, if it and its files are whole and those of `cell`; else BurstlabError."""
    record = read_record(folder / RECORD)
    if record.cell != Identity.of(cell):
        raise BurstlabError(f"{folder / RECORD}: is of {record.cell.cell().id}, not of this folder")
    files = set(_files(record.evidence))
    if not files <= set(record.files) <= files.union(_more_files(record.evidence)):
        raise BurstlabError(f"{folder / RECORD}: files lists {', '.join(sorted(record.files)) or 'nothing'}")
    for name, entry in record.files.items():
        found = _entry(folder / name)
        if found["bytes"] != entry.bytes:
            raise BurstlabError(f"{folder / name}: is {found['bytes']} bytes, recorded {entry.bytes}")
        if found["sha256"] != entry.sha256:
            raise BurstlabError(f"{folder / name}: was changed: it does not have the recorded sha256")
    return record


def _files(evidence: str) -> tuple[str, ...]:
    return TABLES if evidence == SIMULATED else FILES


def _more_files(evidence: str) -> tuple[str, ...]:
    return PROFILE_FILES if evidence == SIMULATED else (*RAW_FILES, *PROFILE_FILES)


def _present(folder: Path, names: Iterable[str]) -> list[str]:
    return [name for name in names if (folder / name).exists()]


def _entry(path: Path) -> dict[str, Any]:
    try:
        return {"bytes": path.stat().st_size, "sha256": sha256_of(path)}
    except FileNotFoundError:
        raise BurstlabError(f"{path}: is missing") from None
    except OSError as error:
        raise BurstlabError(f"{path}: cannot be read: {error.strerror}") from error
