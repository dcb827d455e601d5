"""Quantiles of lengths, and what reading or making a dataset yields beside its files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from pydantic import BaseModel, ConfigDict

_PERCENT = (5, 25, 50, 75, 90, 99)


class Quantiles(BaseModel):
    """Quantiles and mean of a dataset's lengths, in the unit that `Lengths` names."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    p5: float
    p25: float
    p50: float
    p75: float
    p90: float
    p99: float
    mean: float


class Lengths(BaseModel):
    """Lengths of prompts and outputs. `unit` says what was counted, because a token is one tokenizer's
    token.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    unit: str
    input: Quantiles
    output: Quantiles


@dataclass(frozen=True, slots=True)
class Prepared:
    """What became of a source's rows. `rows_dropped` maps a reason to a number of rows."""

    rows_kept: int
    files: tuple[str, ...]
    lengths: Lengths | None
    rows_dropped: Mapping[str, int] = field(default_factory=dict)


def lengths(unit: str, input_lengths: np.ndarray, output_lengths: np.ndarray) -> Lengths:
    """Quantiles of two arrays of lengths, each of shape (rows,) with at least one row."""
    return Lengths(unit=unit, input=_quantiles(input_lengths), output=_quantiles(output_lengths))


def _quantiles(values: np.ndarray) -> Quantiles:
    at = np.percentile(values, _PERCENT)
    named = {f"p{percent}": float(value) for percent, value in zip(_PERCENT, at, strict=True)}
    return Quantiles(**named, mean=float(np.mean(values)))
