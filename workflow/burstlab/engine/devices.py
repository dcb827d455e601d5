"""The devices of this machine that sessions lease."""

import os
import shutil
import subprocess

from burstlab.errors import BurstlabError


def cpu_devices() -> list[str]:
    """One device: a CPU engine uses all cores, so two at a time would measure each other."""
    return ["cpu"]


def gpu_devices() -> list[str]:
    """Indices or UUIDs of the GPUs that this process may use, as `CUDA_VISIBLE_DEVICES` or nvidia-smi names them."""
    allowed = os.environ.get("CUDA_VISIBLE_DEVICES")
    if allowed is not None:
        return [name.strip() for name in allowed.split(",") if name.strip()]
    if shutil.which("nvidia-smi") is None:
        raise BurstlabError(
            "no nvidia-smi on this machine: a `cuda` platform needs a GPU; use a `cpu` platform here"
        )
    listing = subprocess.run(
        ["nvidia-smi", "--query-gpu=index", "--format=csv,noheader"],
        capture_output=True,
        text=True,
        check=False,
    )
    if listing.returncode != 0:
        raise BurstlabError(f"nvidia-smi failed: {listing.stdout.strip() or listing.stderr.strip()}")
    return listing.stdout.split()
