"""The devices of this machine that sessions lease."""

import re
import subprocess
from collections.abc import Sequence

from burstlab.errors import BurstlabError


def cpu_devices() -> list[str]:
    """One device: a CPU engine uses all cores, so two at a time would measure each other."""
    return ["cpu"]


def check_gpu_model(model: str, devices: Sequence[str]) -> None:
    """Raise BurstlabError unless each of `devices` is a `model`, such as `a100-40gb`, by the name its driver gives.

    `devices` are names that nvidia-smi takes: UUIDs or indices.
    """
    for device, name in zip(devices, query_gpus("name", "--id", ",".join(devices)), strict=True):
        if not is_model(model, name):
            raise BurstlabError(
                f"the platform's gpu_model is {model}, but GPU {device} is {name!r}: its cells would bear the wrong name;"
                " measure another platform here, or correct gpu_model"
            )


def is_model(model: str, name: str) -> bool:
    """Whether a GPU that its driver calls `name` is a `model`: every word of `model` must be one of the name's.

    `h200` is no `NVIDIA GH200 480GB`.
    """
    return set(_words(model)) <= set(_words(name))


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())


def query_gpus(fields: str, *options: str) -> list[str]:
    """What nvidia-smi says of each GPU, a line each. Raises BurstlabError in its own words when it fails."""
    command = ["nvidia-smi", f"--query-gpu={fields}", "--format=csv,noheader", *options]
    listing = subprocess.run(command, capture_output=True, text=True, check=False)
    if listing.returncode != 0:
        raise BurstlabError(f"nvidia-smi failed: {listing.stdout.strip() or listing.stderr.strip()}")
    return [line.strip() for line in listing.stdout.splitlines() if line.strip()]
