"""What readers hand over: launches and ranges as plain arrays, times in ns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

import numpy as np
import pyarrow as pa

from burstlab.profiles.lanes import Lanes, Places
from burstlab.profiles.range_name import Batch, parse_range
from burstlab.profiles.ranges import Ranges

NONE = -1
_TYPES: Mapping[str, type[np.signedinteger]] = {
    "start_ns": np.int64,
    "duration_ns": np.int64,
    "process": np.int32,
    "device": np.int32,
    "stream": np.int32,
    "name": np.int32,
    "grid": np.int32,
    "block": np.int32,
    "iteration": np.int32,
    "joined": np.int8,
    "phase": np.int8,
    "thread": np.int64,
}


class Words:
    """A growing list of different values, which columns hold as numbers into it."""

    def __init__(self) -> None:
        self.values: list[int] = []
        self._numbers: dict[int, int] = {}

    def numbers(self, values: np.ndarray) -> np.ndarray:
        """The number of each value, shape as given; values that are new are added."""
        encoded = pa.array(values).dictionary_encode()
        numbers = [self._number(value) for value in encoded.dictionary.to_pylist()]
        found: np.ndarray = np.array(numbers, dtype=np.int32)[encoded.indices.to_numpy()]
        return found

    def _number(self, value: int) -> int:
        if value not in self._numbers:
            self._numbers[value] = len(self.values)
            self.values.append(value)
        return self._numbers[value]


@dataclass(slots=True)
class RawLaunches:
    """Launches, added in parts. `names`, `grids` and `blocks` are what the columns of these names count.

    `NONE` stands for a value that a launch does not have. `own_ns` is set where launches nest.
    """

    names: list[str] = field(default_factory=list)
    grids: Words = field(default_factory=Words)
    blocks: Words = field(default_factory=Words)
    own_ns: np.ndarray | None = None
    _parts: dict[str, list[np.ndarray]] = field(
        default_factory=lambda: {name: [] for name in _TYPES}, init=False
    )

    def add(self, places: Places, **columns: np.ndarray) -> None:
        """Add launches that belong to `places`, with all other columns, shape (launches,) each."""
        columns |= {
            "iteration": places.iteration,
            "joined": places.joined,
            "phase": places.phase,
            "thread": places.thread,
        }
        for name, kind in _TYPES.items():
            self._parts[name].append(_small(columns[name].astype(kind, copy=False)))

    def take(self, name: str) -> np.ndarray:
        """A column as one array; it is given away, so that memory holds it once."""
        parts = self._parts.pop(name)
        return np.concatenate(parts) if parts else np.empty(0, _TYPES[name])


def _small(values: np.ndarray) -> np.ndarray:
    """The same array; of a single value, as of a device, it takes no memory until it is needed."""
    if len(values) and (values == values[0]).all():
        return np.broadcast_to(values[0].copy(), values.shape)
    return values


@dataclass(frozen=True, slots=True)
class RawIterations:
    """Iteration ranges in order of process and begin: process, thread, begin and end in ns, and their batches."""

    process: np.ndarray
    ranges: Ranges
    batches: Sequence[Batch]

    @classmethod
    def from_rows(cls, rows: Sequence[tuple[int, int, int, int, str]]) -> Self:
        """From rows of (process, thread, begin, end, name); names that are no iteration and empty batches are left out."""
        batches = {row: parse_range(row[4]) for row in rows}
        kept = sorted(
            (row for row in rows if (batch := batches[row]) is not None and batch.kind is not None),
            key=lambda row: (row[0], row[2]),
        )
        return cls(
            np.array([row[0] for row in kept], dtype=np.int64),
            Ranges.of((thread, begin, end) for _, thread, begin, end, _ in kept),
            [batch for row in kept if (batch := batches[row]) is not None],
        )


@dataclass(frozen=True, slots=True)
class Scopes:
    """Ranges within iterations, and the phases that they are."""

    ranges: Ranges
    phase: np.ndarray
    phases: Sequence[str]

    @classmethod
    def from_rows(cls, rows: Sequence[tuple[int, int, int, str]]) -> Self:
        """From rows of (thread, begin, end, phase)."""
        phases = list(dict.fromkeys(row[3] for row in rows))
        numbers = {name: number for number, name in enumerate(phases)}
        return cls(
            Ranges.of(row[:3] for row in rows),
            np.array([numbers[row[3]] for row in rows], dtype=np.int64),
            phases,
        )


def lanes_of(iterations: RawIterations, scopes: Scopes) -> Lanes:
    """Lanes in which to locate calls."""
    return Lanes(iterations.process, iterations.ranges, scopes.ranges, scopes.phase)
