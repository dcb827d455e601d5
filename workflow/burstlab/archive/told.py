"""What a user reads about a packed archive."""

from __future__ import annotations

from burstlab.archive.pack import Packed
from burstlab.wording import count

_SHOWN = 5


def told(packed: Packed) -> list[str]:
    """How much is in it; then what is not, and what its reader could learn of this machine."""
    runs = f" and {count(packed.runs, 'profiled run')}" if packed.runs else ""
    lines = [f"{packed.path}: {count(packed.cells, 'cell')}{runs}, {count(packed.files, 'file')}"]
    lines += _some("left out", [f"{name}: {reason}" for name, reason in packed.left_out.items()])
    lines += _some("names a folder of this machine", list(packed.folders_named_in))
    return lines


def _some(what: str, entries: list[str]) -> list[str]:
    lines = [f"{what}: {entry}" for entry in entries[:_SHOWN]]
    return [*lines, f"{what}: {len(entries) - _SHOWN} more"] if len(entries) > _SHOWN else lines
