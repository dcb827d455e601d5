"""What a gate is."""

from collections.abc import Callable
from dataclasses import dataclass

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence


@dataclass(frozen=True)
class ValidityGate:
    """A condition for a cell to count. `needs` is the evidence it looks at, in words.

    `measured_only` gates ask about a real client, engine or machine, and mean nothing for a simulated cell.
    """

    name: str
    needs: str
    judge: Callable[[Evidence], Gate]
    measured_only: bool = True
