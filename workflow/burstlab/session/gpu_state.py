"""Clocks, throttling and other work on the GPUs, sampled by one `nvidia-smi` for as long as a benchmark runs."""

import contextlib
import subprocess
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median
from typing import Self

from burstlab.engine.guarded import Guarded
from burstlab.records.observed import GpuState

PERIOD_MS = 500
_FIELDS = ("uuid", "clocks.max.sm", "clocks.sm", "temperature.gpu")
# The name changed with driver 535; each driver knows one of them at least.
_REASON_FIELDS = ("clocks_event_reasons.active", "clocks_throttle_reasons.active")
# NVML's nvmlClocksEventReason* bits. "Idle" and "the application set a clock" are no faults of the run.
_REASONS = {
    0x4: "software-power-cap",
    0x8: "hardware-slowdown",
    0x10: "sync-boost",
    0x20: "software-thermal-slowdown",
    0x40: "hardware-thermal-slowdown",
    0x80: "hardware-power-brake",
    0x100: "display-clock",
}


class GpuWatch:
    """Samples `gpus` (names that nvidia-smi takes) while the block runs; without GPUs it does nothing."""

    def __init__(self, gpus: Sequence[str], environment: dict[str, str], samples: Path) -> None:
        self._gpus = ",".join(gpus)
        self._samples = samples
        self._stack = contextlib.ExitStack()
        self._environment = environment

    def __enter__(self) -> Self:
        if self._gpus:
            reason = next((name for name in _REASON_FIELDS if _query(name, self._gpus)), _REASON_FIELDS[-1])
            command = [*_command((*_FIELDS, reason), self._gpus), "--loop-ms", str(PERIOD_MS)]
            self._samples.unlink(missing_ok=True)
            self._stack.enter_context(Guarded(command, environment=self._environment, log=self._samples))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def states(self) -> tuple[GpuState, ...]:
        """What was seen, a state for each GPU."""
        return summarise(self._samples.read_text(errors="replace")) if self._samples.exists() else ()

    def other_processes(self, own: Sequence[int]) -> int | None:
        """Compute processes on the GPUs now that are not among `own`; None where it cannot be told whose they are."""
        if not self._gpus:
            return None
        listing = _run(
            ["nvidia-smi", "--query-compute-apps=pid", "--format=csv,noheader", f"--id={self._gpus}"]
        )
        return others_among(listing, own)


def others_among(listing: str, own: Sequence[int]) -> int | None:
    """How many of the process ids in `listing`, one a line, are not `own`; None when none is: ids of another namespace."""
    pids = {int(line) for line in listing.split() if line.strip().isdigit()}
    return len(pids - set(own)) if pids & set(own) else None


def summarise(text: str) -> tuple[GpuState, ...]:
    """States from lines of `_FIELDS` and a hexadecimal mask of reasons; other lines, such as warnings, are passed over."""
    rows: dict[str, list[list[str]]] = {}
    for line in text.splitlines():
        gpu, *cells = (cell.strip() for cell in line.split(","))
        if len(cells) == len(_FIELDS):
            rows.setdefault(gpu, []).append(cells)
    return tuple(_state(gpu, samples) for gpu, samples in sorted(rows.items()))


def _state(gpu: str, samples: list[list[str]]) -> GpuState:
    highest, clocks, temperatures = (_numbers(sample[column] for sample in samples) for column in range(3))
    seen: Counter[str] = Counter()
    for sample in samples:
        seen.update(_reasons(sample[3]))
    return GpuState(
        gpu=gpu,
        samples=len(samples),
        sm_clock_max_mhz=max(highest, default=None),
        sm_clock_median_mhz=median(clocks) if clocks else None,
        sm_clock_lowest_mhz=min(clocks, default=None),
        temperature_highest_c=max(temperatures, default=None),
        throttle_shares={reason: count / len(samples) for reason, count in sorted(seen.items())},
    )


def _reasons(mask: str) -> list[str]:
    try:
        bits = int(mask, 16)
    except ValueError:  # "[N/A]"
        return []
    return [reason for bit, reason in _REASONS.items() if bits & bit]


def _numbers(cells: Iterable[str]) -> list[float]:
    return [float(cell) for cell in cells if cell.replace(".", "", 1).isdigit()]


def _command(fields: Sequence[str], gpus: str) -> list[str]:
    return ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv,noheader,nounits", f"--id={gpus}"]


def _query(field: str, gpus: str) -> str:
    return _run(_command([field], gpus))


def _run(command: list[str]) -> str:
    listing = subprocess.run(command, capture_output=True, text=True, check=False)
    return listing.stdout.strip() if listing.returncode == 0 else ""
