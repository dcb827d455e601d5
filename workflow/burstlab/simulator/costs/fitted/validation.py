"""How well a fit predicts batches that it has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.fitted.batches import Batch
from burstlab.simulator.costs.fitted.fit import durations_ms, fit_matrix, matrix


@dataclass(frozen=True, slots=True)
class HeldOut:
    """Errors of a group that was left out of the fit, fitted/measured − 1.

    `of_sum` is that of all its durations together, `typical` the median size of the error of one batch.
    """

    group: str
    batches: int
    of_sum: float
    typical: float


def cross_validate(groups: Sequence[tuple[str, Sequence[Batch]]]) -> list[HeldOut]:
    """Leave each named group (a cell, say) out in turn, fit the others and predict it; BurstlabError below two groups.

    Batches of one group share the machine's state at the time, so leaving out single batches would flatter the fit.
    """
    if len(groups) < 2:
        raise BurstlabError(f"{len(groups)} groups of batches; to leave one out takes 2")
    designs = [matrix(batches) for _, batches in groups]
    durations = [durations_ms(batches) for _, batches in groups]
    found = []
    for place, (name, _) in enumerate(groups):
        others = [np.concatenate(parts[:place] + parts[place + 1 :]) for parts in (designs, durations)]
        measured_ms = durations[place]
        expected_ms = designs[place] @ fit_matrix(*others).coefficients_ms
        found.append(
            HeldOut(
                group=name,
                batches=len(measured_ms),
                of_sum=float(expected_ms.sum() / measured_ms.sum() - 1),
                typical=float(np.median(np.abs(expected_ms / measured_ms - 1))),
            )
        )
    return found
