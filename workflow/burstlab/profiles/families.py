"""From the name of a launch to its family, by the rules of families.toml."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from burstlab.profiles import flash_attention_2, flash_attention_3
from burstlab.profiles.grid import Size

_FILE = Path(__file__).with_name("families.toml")
# Not a family of a launch: the time of an iteration in which no launch runs.
OVERHEAD = "overhead"
# Not one either: launches that no rule names.
UNNAMED = "unnamed"
GRAPH = "graph"


@dataclass(frozen=True, slots=True)
class Family:
    """A family and the part of an iteration that it counts as."""

    name: str
    part: str
    about: str


@dataclass(frozen=True, slots=True)
class Rule:
    """Names that fit `pattern` are of `family`; `source` says where they come from, `examples` are some."""

    family: str
    pattern: re.Pattern[str]
    source: str
    examples: tuple[str, ...]


@cache
def families() -> dict[str, Family]:
    """All families by name, in the order of the file."""
    return {name: Family(name, entry["part"], entry["about"]) for name, entry in _file()["family"].items()}


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, in the order in which they are tried."""
    return tuple(
        Rule(entry["family"], re.compile(entry["pattern"]), entry["source"], tuple(entry["examples"]))
        for entry in _file()["rule"]
    )


@cache
def parts() -> tuple[str, ...]:
    """The parts of an iteration, in order: those of the families, then `UNNAMED` and `OVERHEAD`."""
    return (*dict.fromkeys(family.part for family in families().values()), UNNAMED, OVERHEAD)


def rule_of(name: str) -> Rule | None:
    """The first rule that fits a launch's name; None if none does."""
    return next((rule for rule in rules() if rule.pattern.search(name)), None)


def family_of(name: str, grid: Size | None = None) -> str | None:
    """The family of a launch; None if no rule fits.

    Names and `grid` tell packed launches of FA2 from unpacked ones, names alone those of FA3.
    """
    rule = rule_of(name)
    if rule is None:
        return None
    if rule.family == "fa2":
        return flash_attention_2.packing(name, grid) or rule.family
    if rule.family == "fa3":
        return flash_attention_3.packing(name) or rule.family
    return rule.family


@cache
def _file() -> dict[str, Any]:
    with _FILE.open("rb") as file:
        return tomllib.load(file)
