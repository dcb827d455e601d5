"""Fitted terms as costs."""

from __future__ import annotations

from collections.abc import Sequence

from burstlab.simulator.clock import PS_PER_MS
from burstlab.simulator.costs.fitted.fit import Fit
from burstlab.simulator.costs.fitted.terms import CONTEXT, values
from burstlab.simulator.costs.interface import Line


class FittedCosts:
    """Durations that a `Fit` gives."""

    def __init__(self, fit: Fit) -> None:
        self._ps: list[float] = [coefficient * PS_PER_MS for coefficient in fit.coefficients_ms.tolist()]
        self._context_ps = round(self._ps[CONTEXT])
        self._without_context: dict[int, int] = {}

    def decode(self, decodes: int, context_tokens: int) -> Line:
        """A line: of all terms only the context grows."""
        if decodes not in self._without_context:
            self._without_context[decodes] = self.mixed(decodes, 0, ())
        first_ps = self._without_context[decodes] + self._context_ps * context_tokens
        return Line(first_ps, self._context_ps * decodes)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        """The sum of all terms, at least 1 ps."""
        terms = zip(self._ps, values(decodes, context_tokens, chunks), strict=True)
        total_ps: float = sum(each_ps * value for each_ps, value in terms)
        return max(1, round(total_ps))
