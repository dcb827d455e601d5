"""What the machine is: the part of a record that says what a number was measured on."""

import os
import platform as host
import re
import shutil
import subprocess
from pathlib import Path

import psutil


def _cpu_model() -> str:
    text = Path("/proc/cpuinfo").read_text(errors="replace")
    match = re.search(r"^model name\s*:\s*(.+)$", text, re.MULTILINE)
    return match.group(1).strip() if match else host.processor() or "unknown"


def _vector_extensions() -> list[str]:
    text = Path("/proc/cpuinfo").read_text(errors="replace")
    match = re.search(r"^flags\s*:\s*(.+)$", text, re.MULTILINE)
    flags = set(match.group(1).split()) if match else set()
    return [name for name in ("avx2", "avx512f", "avx512_bf16", "amx_bf16") if name in flags]


def _gpus() -> list[str]:
    if shutil.which("nvidia-smi") is None:
        return []
    query = ["nvidia-smi", "--query-gpu=name,memory.total,driver_version", "--format=csv,noheader"]
    listing = subprocess.run(query, capture_output=True, text=True, check=False)
    return listing.stdout.strip().splitlines() if listing.returncode == 0 else []


def hardware() -> dict[str, object]:
    """CPU, cores this process may use, memory in bytes, GPUs, operating system. No host name: records travel."""
    return {
        "cpu": _cpu_model(),
        "cores": len(os.sched_getaffinity(0)),
        "vector_extensions": _vector_extensions(),
        "memory_bytes": psutil.virtual_memory().total,
        "gpus": _gpus(),
        "system": f"{host.system()} {host.release()} {host.machine()}",
    }
