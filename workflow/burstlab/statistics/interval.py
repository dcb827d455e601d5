"""An estimate with its interval."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate and the bounds of its confidence interval, all in the unit of what was estimated.

    `units` is the number of independent units that it rests on: seeds, or blocks of a run. `method` is in words. The
    interval of an exact result has no width. Raises ValueError where the estimate is not inside.
    """

    estimate: float
    low: float
    high: float
    units: int
    method: str

    def __post_init__(self) -> None:
        if not self.low <= self.estimate <= self.high:
            raise ValueError(f"{self.estimate} is not between {self.low} and {self.high}")

    def within(self, low: float, high: float) -> bool:
        """Whether all of the interval lies between two bounds, ends included."""
        return low <= self.low and self.high <= high

    def outside(self, low: float, high: float) -> bool:
        """Whether no part of the interval lies between two bounds, ends included."""
        return self.high < low or self.low > high


def scaled(found: Interval | None, factor: float) -> Interval | None:
    """The interval in another unit, of which `factor` make one of its own; `factor` is above 0."""
    if found is None:
        return None
    return replace(found, estimate=found.estimate * factor, low=found.low * factor, high=found.high * factor)


def exact(value: float) -> Interval:
    """A result without uncertainty: arithmetic."""
    return Interval(value, value, value, 0, "exact")
