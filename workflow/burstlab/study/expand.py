"""From blocks to cells, and from cells to sessions."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator

from burstlab.study.cells import Arrivals, Cell, Session
from burstlab.study.schema import Block, Study


def cells(study: Study) -> tuple[Cell, ...]:
    """All cells of all blocks, in the order in which the blocks name them."""
    return tuple(itertools.chain.from_iterable(cells_of(block) for block in study.blocks))


def cells_of(block: Block) -> Iterator[Cell]:
    """The cells of one block: every combination of its lists."""
    arrivals = [*map(Arrivals.gamma, block.burstiness), *map(Arrivals.replay, block.traces)]
    product = itertools.product(
        block.platforms, block.models, block.engines, block.workloads, block.rates, arrivals, block.seeds
    )
    return itertools.starmap(Cell, product)


def sessions(cells: Iterable[Cell], study: Study) -> tuple[Session, ...]:
    """Sessions of one platform, model and engine each, cut where the platform limits the cells of one.

    In a session the seed changes slowest: the bursts that are compared with each other are measured within
    minutes of each other, so that a slow drift of the machine falls on all of them alike.
    """
    engines: dict[tuple[str, str, str], list[Cell]] = {}
    for cell in cells:
        engines.setdefault((cell.platform, cell.model, cell.engine), []).append(cell)
    found = []
    for engine, members in engines.items():
        ordered = sorted(members, key=lambda cell: cell.seed)
        size = study.platforms[engine[0]].max_cells_per_session or len(ordered)
        for part, start in enumerate(range(0, len(ordered), size)):
            found.append(Session(*engine, part=part, cells=tuple(ordered[start : start + size])))
    return tuple(found)
