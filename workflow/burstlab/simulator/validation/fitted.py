"""What the cells of one side of a split say of costs and delays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from burstlab.simulator.costs.fitted.costs import FittedCosts
from burstlab.simulator.costs.fitted.delays import fit_delays
from burstlab.simulator.costs.fitted.fit import Fit, durations_ms, fit_matrix, matrix
from burstlab.simulator.loop import Delays
from burstlab.simulator.validation.subject import Subject


@dataclass(frozen=True)
class Known:
    """A measured cell with its iterations as numbers, made once for all splits that it is in."""

    subject: Subject

    @cached_property
    def design(self) -> np.ndarray:
        """The terms of its iterations, shape (iterations, terms)."""
        return matrix(self.subject.rebuilt.batches)

    @cached_property
    def durations_ms(self) -> np.ndarray:
        """What its iterations took, shape (iterations,)."""
        return durations_ms(self.subject.rebuilt.batches)


@dataclass(frozen=True, slots=True)
class Fitted:
    """Costs and delays."""

    fit: Fit
    delays: Delays

    @property
    def costs(self) -> FittedCosts:
        """The costs, ready to simulate with."""
        return FittedCosts(self.fit)

    def own_speed(self, cell: Known) -> float:
        """What all iterations of the cell took together, over what the fit says: above 1 the machine was slower."""
        return float(cell.durations_ms.sum() / (cell.design @ self.fit.coefficients_ms).sum())

    def at_speed(self, speed: float) -> Fitted:
        """Costs of a machine that takes `speed` times as long."""
        return replace(self, fit=replace(self.fit, coefficients_ms=self.fit.coefficients_ms * speed))


def fit_cells(cells: Sequence[Known]) -> Fitted:
    """Fitted to all iterations and requests of the cells; BurstlabError where they are too few."""
    found = fit_matrix(
        np.concatenate([cell.design for cell in cells]), np.concatenate([cell.durations_ms for cell in cells])
    )
    delays = fit_delays([(cell.subject.requests, cell.subject.rebuilt) for cell in cells])
    return Fitted(found, delays)
