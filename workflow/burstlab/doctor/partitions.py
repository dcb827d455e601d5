"""The partitions of a SLURM cluster, as sinfo tells of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from burstlab.doctor.machine import Machine, Output

_TIMEOUT_S = 60.0
_GPU = re.compile(r"\bgpu(?::([^:(,]+))?:(\d+)")


@dataclass(frozen=True, slots=True)
class Nodes:
    """Nodes of one partition that are alike; `gpus` counts those of one node by type, "" where the cluster names none."""

    partition: str
    default: bool
    up: bool
    features: frozenset[str]
    gpus: dict[str, int]


def ask(machine: Machine) -> Output:
    """What sinfo lists: a row for all nodes of a partition that are alike."""
    return machine.run(["sinfo", "--noheader", "--format=%P|%a|%f|%G"], _TIMEOUT_S)


def read(listing: str) -> list[Nodes]:
    """The rows of `ask`; lines that are none are left out."""
    rows = [line.strip().split("|") for line in listing.splitlines()]
    return [_nodes(row) for row in rows if len(row) == 4]


def _nodes(row: Sequence[str]) -> Nodes:
    partition, available, features, gres = row
    gpus: dict[str, int] = {}
    for kind, count in _GPU.findall(gres):
        gpus[kind] = gpus.get(kind, 0) + int(count)
    return Nodes(
        partition=partition.rstrip("*"),
        default=partition.endswith("*"),
        up=available == "up",
        features=frozenset(features.split(",")) - {"(null)", ""},
        gpus=gpus,
    )
