"""Reading what nvidia-smi prints, whose forms differ by driver and GPU.

Seen in captures of drivers 465 to 610 and in reports of users: a value that the driver does not tell is `[N/A]`, `N/A`,
`[Not Supported]`, `[Unknown Error]`, `[GPU requires reset]` or `[Requested functionality has been deprecated]`; a GPU that fell
off its bus has a line of words, then `[Unknown Error]` in every column, its UUID too; on some machines a loop tells values
once and `[Unknown Error]` from then on. All of these are unknown here, and what is unknown is never taken for good.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from statistics import median

from burstlab.records.observed import UNKNOWN_REASON, GpuState

FIELDS = ("uuid", "clocks.max.sm", "clocks.sm", "temperature.gpu")
# The name changed with driver 535. Later ones know both (610 still does), earlier ones the second alone.
REASON_FIELDS = ("clocks_event_reasons.active", "clocks_throttle_reasons.active")
# NVML's nvmlClocksEventReason* bits. "Idle" and "the application set a clock" are no faults of the run.
_NO_FAULTS = 0x1 | 0x2
_REASONS = {
    0x4: "software-power-cap",
    0x8: "hardware-slowdown",
    0x10: "sync-boost",
    0x20: "software-thermal-slowdown",
    0x40: "hardware-thermal-slowdown",
    0x80: "hardware-power-brake",
    0x100: "display-clock",
}
_MASK = re.compile(r"0x[0-9a-fA-F]+")
_UUID = re.compile(r"\(UUID: ([^)\s]+)\)")


def summarise(text: str) -> tuple[GpuState, ...]:
    """A state for each GPU, from lines of `FIELDS` and a mask of reasons; lines that begin with no UUID are passed over."""
    rows: dict[str, list[list[str]]] = {}
    for line in text.splitlines():
        gpu, *cells = (cell.strip() for cell in line.split(","))
        if gpu.startswith("GPU-") and len(cells) == len(FIELDS):
            rows.setdefault(gpu, []).append(cells)
    return tuple(_state(gpu, samples) for gpu, samples in sorted(rows.items()))


def _state(gpu: str, samples: list[list[str]]) -> GpuState:
    highest, clocks, temperatures = (_numbers(sample[column] for sample in samples) for column in range(3))
    masks = [int(sample[3], 16) for sample in samples if _MASK.fullmatch(sample[3])]
    return GpuState(
        gpu=gpu,
        samples=len(samples),
        sm_clock_max_mhz=max(highest, default=None),
        sm_clock_median_mhz=median(clocks) if clocks else None,
        sm_clock_lowest_mhz=min(clocks, default=None),
        temperature_highest_c=max(temperatures, default=None),
        throttle_shares=_shares(masks) if masks else None,
    )


def _shares(masks: Sequence[int]) -> dict[str, float]:
    seen = Counter(reason for mask in masks for reason in _reasons(mask))
    return {reason: count / len(masks) for reason, count in sorted(seen.items())}


def _reasons(mask: int) -> list[str]:
    """Names of the bits that are set; a bit that NVML got later than this list is told by its number."""
    bits = (1 << place for place in range(mask.bit_length()) if mask >> place & 1)
    return [_REASONS.get(bit, f"{UNKNOWN_REASON}{bit:#x}") for bit in bits if not bit & _NO_FAULTS]


def _numbers(cells: Iterable[str]) -> list[float]:
    """The values that are numbers, with a unit behind them or not."""
    words = (cell.split(maxsplit=1)[0] for cell in cells if cell)
    return [float(word) for word in words if word.replace(".", "", 1).isdigit()]


def refused(answer: str) -> bool:
    """Whether nvidia-smi says that it does not know a field; it does so on its standard output."""
    return "is not a valid field" in answer


def process_ids(listing: str) -> set[int]:
    """The process ids in a list with one a line; `[N/A]` and other words are none."""
    return {int(line) for line in listing.split() if line.isdigit()}


def cards(names: Sequence[str], listing: str) -> list[str]:
    """What nvidia-smi takes for GPUs and MIG slices of these names, by the lines of `nvidia-smi --list-gpus`.

    It answers nothing about a slice by the slice's own name, so each stands for its whole card; a slice that no card
    lists is left out.
    """
    card_of: dict[str, str] = {}
    card = ""
    for uuid in _UUID.findall(listing):
        card = uuid if uuid.startswith("GPU-") else card
        card_of[uuid] = card
    found = [card_of.get(name, "") if is_slice(name) else name for name in names]
    return list(dict.fromkeys(name for name in found if name))


def is_slice(name: str) -> bool:
    """Whether this is the name of a MIG slice."""
    return name.startswith("MIG-")
