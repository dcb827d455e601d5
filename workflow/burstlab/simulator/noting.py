"""Costs that keep what they were asked: each batch that a run had, in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from burstlab.simulator.costs.interface import Costs, Line
from burstlab.simulator.costs.roofline.batch import Iteration
from burstlab.simulator.costs.roofline.costs import Parts


class CostsInParts(Costs, Protocol):
    """Costs that also say what an iteration's time goes to."""

    def parts_us(self, iteration: Iteration) -> Parts:
        """See `RooflineCosts`."""


class Noting:
    """`costs`, whose answers it gives. `asked` has an item a stretch of the iteration log: its first iteration."""

    def __init__(self, costs: CostsInParts) -> None:
        self._costs = costs
        self.asked: list[Iteration] = []

    def decode(self, decodes: int, context_tokens: int) -> Line:
        """See `RooflineCosts`."""
        self.asked.append(Iteration(decodes, context_tokens))
        return self._costs.decode(decodes, context_tokens)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        """See `RooflineCosts`."""
        self.asked.append(Iteration(decodes, context_tokens, chunks))
        return self._costs.mixed(decodes, context_tokens, chunks)

    def parts_us(self, stretch: int, later: int) -> Parts:
        """What the kernels take of the iteration that came so many after the first of a stretch; contexts have grown by then."""
        first = self.asked[stretch]
        grown = first.context_tokens + later * first.decodes
        return self._costs.parts_us(Iteration(first.decodes, grown, first.chunks))
