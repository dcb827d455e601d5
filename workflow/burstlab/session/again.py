"""Which cells are measured again, and why, for one who may rather stop the run."""

from __future__ import annotations

from collections.abc import Sequence

from burstlab.study.cells import Cell

_REASONS_SHOWN = 5
_CELLS_SHOWN = 3


def again_lines(again: Sequence[tuple[Cell, str]]) -> list[str]:
    """A line for each reason, the most common first, that names the cells; `again` has each cell with its reason.

    At most five reasons and three cells of each, for a changed engine may make thousands stale: then the last line has how many
    more there are.
    """
    cells: dict[str, list[str]] = {}
    for cell, reason in again:
        cells.setdefault(reason, []).append(cell.id)
    reasons = sorted(cells, key=lambda reason: -len(cells[reason]))
    lines = [f"again: {_named(cells[reason])}: {reason}" for reason in reasons[:_REASONS_SHOWN]]
    left = reasons[_REASONS_SHOWN:]
    if left:
        number = sum(len(cells[reason]) for reason in left)
        lines.append(f"and {number} more, for {len(left)} other reasons")
    return lines


def _named(cells: Sequence[str]) -> str:
    shown = ", ".join(cells[:_CELLS_SHOWN])
    left = len(cells) - _CELLS_SHOWN
    return f"{shown} and {left} more" if left > 0 else shown
