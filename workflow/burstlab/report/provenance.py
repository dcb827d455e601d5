"""What was run on what, told by the cells' records."""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from burstlab.errors import BurstlabError
from burstlab.figures.registry import Group

# The engine lists the numbers of cores, and a lone "0" would be taken for none.
_REPORTED_NAMES = {"cpu_cores": "bound to the cores with the numbers"}

Facts = tuple[tuple[str, str], ...]
"""Names and values, flattened."""


@dataclass(slots=True)
class Variants:
    """The distinct states of one thing, and how many cells had each."""

    cells: dict[Facts, int] = field(default_factory=dict)

    def add(self, value: Any) -> None:
        """Counts one cell with this value (a nested mapping, or nothing)."""
        facts = tuple(flatten(value))
        self.cells[facts] = self.cells.get(facts, 0) + 1

    def listed(self) -> list[tuple[Facts, int]]:
        """Most frequent first; without what says nothing."""
        some = [(facts, cells) for facts, cells in self.cells.items() if facts]
        return sorted(some, key=lambda pair: (-pair[1], pair[0]))


@dataclass(slots=True)
class Setting:
    """One platform, model and engine: what the records say of it, and an example of its commands."""

    platform: str
    model: str
    engine: str
    cells: int = 0
    evidence: set[str] = field(default_factory=set)
    hardware: Variants = field(default_factory=Variants)
    simulation: Variants = field(default_factory=Variants)
    versions: Variants = field(default_factory=Variants)
    reported: Variants = field(default_factory=Variants)
    asked: Variants = field(default_factory=Variants)
    commands: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Provenance:
    """All settings, the datasets used, where each group's prompts come from, and the time at which each cell's run began (UTC,
    ISO 8601), by its record."""

    settings: dict[tuple[str, str, str], Setting] = field(default_factory=dict)
    datasets: Variants = field(default_factory=Variants)
    prompts: dict[Group, set[str]] = field(default_factory=dict)
    started_utc: dict[Path, str] = field(default_factory=dict)


def gather(paths: Iterable[Path]) -> Provenance:
    """Reads `cell.json` files one after the other; only what differs between them is kept."""
    found = Provenance()
    for path in paths:
        record = read_raw(path)
        _add(found, record)
        started = (record.get("times") or {}).get("started_utc")
        if isinstance(started, str):
            found.started_utc[path] = started
    return found


def read_raw(path: Path) -> Mapping[str, Any]:
    """A cell's record as it stands there; raises BurstlabError where it is missing or is none."""
    try:
        record = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise BurstlabError(f"{path}: no readable cell record: {error}") from error
    if not isinstance(record, dict) or not isinstance(record.get("cell"), dict):
        raise BurstlabError(f"{path}: a cell record must be a JSON object with the key 'cell'")
    return record


def _add(found: Provenance, record: Mapping[str, Any]) -> None:
    cell, specification = record["cell"], record.get("specification") or {}
    key = (str(cell.get("platform")), str(cell.get("model")), str(cell.get("engine")))
    setting = found.settings.setdefault(key, Setting(*key))
    setting.cells += 1
    setting.evidence.add(str(record.get("evidence")))
    setting.hardware.add(record.get("hardware"))
    setting.simulation.add(record.get("simulation"))
    setting.versions.add(record.get("versions"))
    reported = record.get("engine_reported") or {}
    setting.reported.add({_REPORTED_NAMES.get(name, name): value for name, value in reported.items()})
    setting.asked.add(
        {name: specification.get(name) for name in ("model", "engine", "environment", "simulator")}
    )
    if not setting.commands:
        setting.commands = {name: shell(argv) for name, argv in (record.get("commands") or {}).items()}
    for part in ("workload", "arrivals"):
        dataset = (specification.get(part) or {}).get("dataset")
        if isinstance(dataset, dict):
            found.datasets.add(dataset)
            if part == "workload":
                # A workload's name is its study's: another study may call other prompts so.
                group = (*key, str(cell.get("workload")))
                found.prompts.setdefault(group, set()).add(str(dataset.get("source")))


def flatten(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Leaves of nested mappings as ("a.b", "text"), in order; lists of plain values are one leaf."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from flatten(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list) and any(isinstance(item, Mapping | list) for item in value):
        for number, inner in enumerate(value):
            yield from flatten(inner, f"{name}[{number}]")
    elif value is not None and value != []:
        yield name or "value", _leaf(name, value)


def _leaf(name: str, value: Any) -> str:
    if name.endswith("bytes") and isinstance(value, int):
        return f"{value:,} ({value / 2**30:.1f} GiB)" if value >= 2**20 else f"{value:,}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "yes" if value is True else "no" if value is False else str(value)


def shell(argv: Any) -> str:
    """A command as one would type it."""
    import shlex

    return shlex.join(map(str, argv)) if isinstance(argv, list) else str(argv)
