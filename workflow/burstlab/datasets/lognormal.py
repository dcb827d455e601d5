"""Lengths drawn from a lognormal distribution, scaled for small engines."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr, ndtri

SHORTEST_TOKENS = 4
LONGEST_TOKENS = 1024
"""What vLLM's ShareGPT reader keeps: prompts of 4 to 1024 tokens, outputs of 4 and more, together at most
2048
(`is_valid_sequence` in vllm/benchmarks/datasets/datasets.py); two lengths in this range satisfy all three."""


@dataclass(frozen=True, slots=True)
class LogNormal:
    """exp of a normal variable with mean log(median_tokens) and standard deviation `log_sd`, in a range.

    Draws beyond 4 to `longest_tokens` are redrawn, in effect: the distribution is truncated there, and
    not clipped.
    """

    median_tokens: float
    log_sd: float
    longest_tokens: float

    def draw(self, rng: np.random.Generator, rows: int, scale: float, cap_tokens: int) -> np.ndarray:
        """Lengths in tokens, integers of shape (rows,), each drawn, then multiplied by `scale` and rounded.

        The result lies in 4 to min(`cap_tokens`, 1024): what would exceed it is redrawn, what would fall
        below 4 is 4. The first n of more rows are the same as n rows.
        """
        cap = max(SHORTEST_TOKENS, min(cap_tokens, LONGEST_TOKENS))
        high = max(SHORTEST_TOKENS, min(self.longest_tokens, (cap + 0.49) / scale))
        low_p, high_p = self._below(SHORTEST_TOKENS), self._below(high)
        normal = ndtri(low_p + rng.random(rows) * (high_p - low_p))
        tokens = np.clip(self.median_tokens * np.exp(self.log_sd * normal), SHORTEST_TOKENS, high)
        return np.clip(np.rint(tokens * scale), SHORTEST_TOKENS, cap).astype(np.int64)

    def _below(self, tokens: float) -> float:
        return float(ndtr(math.log(tokens / self.median_tokens) / self.log_sd))
