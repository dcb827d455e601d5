"""The GPUs that this process may use: which card is meant, whatever it is called."""

import os
import re
import shutil
from collections.abc import Mapping

from burstlab.engine.devices import query_gpus
from burstlab.errors import BurstlabError

_NUMBER = re.compile(r"\d+")


def visible_gpus(variables: Mapping[str, str] = os.environ) -> dict[str, str]:
    """UUID of each GPU to the name that CUDA is told: its index, as nvidia-smi counts, for GPUs; its own for a MIG slice.

    `CUDA_VISIBLE_DEVICES`, where the user or SLURM has set it, chooses among the machine's and may name them by index or
    UUID. A lease is by UUID, since jobs that are confined to their own GPUs all call theirs 0. CUDA is told the index,
    since not every vLLM takes UUIDs. Raises BurstlabError when the variable names a GPU that is not there.
    """
    if shutil.which("nvidia-smi") is None:
        raise BurstlabError(
            "no nvidia-smi on this machine: a `cuda` platform needs a GPU; use a `cpu` platform here"
        )
    there = dict(_pair(line) for line in query_gpus("uuid,index"))
    allowed = variables.get("CUDA_VISIBLE_DEVICES")
    if allowed is None:
        return there
    chosen: dict[str, str] = {}
    for entry in map(str.strip, allowed.split(",")):
        if entry in ("", "-1", "NoDevFiles"):
            break  # as CUDA does; SLURM writes the last for a job without GPUs
        chosen |= _named(entry, there)
    return chosen


def _pair(line: str) -> tuple[str, str]:
    uuid, _, index = (part.strip() for part in line.partition(","))
    return uuid, index


def _named(entry: str, there: Mapping[str, str]) -> dict[str, str]:
    if entry.startswith("MIG-"):
        return {entry: entry}
    by_index = _NUMBER.fullmatch(entry) is not None
    found = {
        uuid: index
        for uuid, index in there.items()
        if (index == str(int(entry)) if by_index else uuid.startswith(entry))
    }
    if len(found) != 1:
        known = ", ".join(f"{index} = {uuid}" for uuid, index in there.items()) or "none"
        raise BurstlabError(
            f"CUDA_VISIBLE_DEVICES names {entry!r}, which is {'no' if not found else 'more than one'} GPU of this machine; "
            f"here are: {known}"
        )
    return found
