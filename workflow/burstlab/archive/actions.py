"""What was run, as actions of the Process Run Crate profile: one an engine that measured, and the workflow's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

from burstlab.collections.places import RUNS
from burstlab.records.schema import CellRecord
from burstlab.wording import count

Entity = dict[str, Any]
Key = tuple[str, str, str, str, str, str]

WORKFLOW = "Snakefile"
COMPLETED = "http://schema.org/CompletedActionStatus"
_VLLM = "https://github.com/vllm-project/vllm"


def reference(identifier: str) -> Entity:
    """A mention of another entity."""
    return {"@id": identifier}


def cell_folder(name: str) -> str:
    """The identifier of the folder of a cell; `name` is its path below the results, `cells/<cell id>`."""
    return quote(f"results/{name}/")


def what_is(name: str) -> str:
    """Whether the cell with this path below the results is a cell or a profiled run."""
    return "profiled run" if name.startswith(f"{RUNS}/") else "cell"


def session_actions(records: Mapping[str, CellRecord], inputs: list[str]) -> Iterator[Entity]:
    """The actions that made the cells, and the programs that they used.

    One action a platform, model, engine, evidence and version of vLLM, from the start of its first cell to the
    end of its last one; one more of profiled runs. What did not run vLLM was made by the workflow itself.
    """
    groups: dict[Key, dict[str, CellRecord]] = {}
    for name, record in records.items():
        groups.setdefault(_key(name, record), {})[name] = record
    programs: dict[str, Entity] = {}
    for key, cells in sorted(groups.items()):
        program = _program(key)
        if program:
            programs[program["@id"]] = program
        yield _action(key, cells, program, inputs)
    yield from programs.values()


def _key(name: str, record: CellRecord) -> Key:
    cell = record.cell
    return (
        what_is(name),
        cell.platform,
        cell.model,
        cell.engine,
        record.evidence,
        record.versions.get("vllm") or "",
    )


def _program(key: Key) -> Entity | None:
    evidence, version = key[4:]
    if evidence != "measured":
        return None
    known = (
        {"softwareVersion": version} if version else {"description": "The record does not say which version."}
    )
    return {
        "@id": f"{_VLLM}/releases/tag/v{version}" if version else _VLLM,
        "@type": "SoftwareApplication",
        "name": f"vLLM {version}".strip(),
        "url": _VLLM,
        **known,
    }


def _action(key: Key, cells: Mapping[str, CellRecord], program: Entity | None, inputs: list[str]) -> Entity:
    what, platform, model, engine, evidence, version = key
    first = next(iter(cells.values()))
    action: Entity = {
        "@id": f"#{what.replace(' ', '-')}s-" + "--".join(filter(None, key[1:])),
        "@type": "CreateAction",
        "name": f"{count(len(cells), what)} of {model} with {engine} on {platform} ({evidence})",
        "description": f"{evidence} on {_machine(first)}" + (f", vLLM {version}" if version else ""),
        "instrument": reference(program["@id"] if program else WORKFLOW),
        "object": [reference(name) for name in inputs],
        "result": [reference(cell_folder(name)) for name in cells],
        "actionStatus": COMPLETED,
    }
    return action | times(cells)


def _machine(record: CellRecord) -> str:
    if record.simulation is not None:
        return f"no hardware, but by {record.simulation.costs} costs"
    gpus = record.hardware.get("gpus") or []
    names = [str(gpu.get("name", gpu)) if isinstance(gpu, dict) else str(gpu) for gpu in gpus]
    cpu, cores = record.hardware.get("cpu"), record.hardware.get("cores")
    known = [*names, f"{cores} cores of {cpu}" if cpu and cores else ""]
    return ", ".join(filter(None, known)) or "hardware that the record does not name"


def times(cells: Mapping[str, CellRecord]) -> Entity:
    """`startTime` of the first cell and `endTime` of the last one, as far as records know them."""
    starts, ends = [], []
    for record in cells.values():
        try:
            start = datetime.fromisoformat(str(record.times.get("started_utc")))
        except ValueError:
            continue
        starts.append(start)
        ends.append(start + timedelta(seconds=float(record.times.get("cell_wall_s", 0))))
    if not starts:
        return {}
    return {
        "startTime": min(starts).isoformat(timespec="seconds"),
        "endTime": max(ends).isoformat(timespec="seconds"),
    }
