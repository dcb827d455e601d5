"""What the iterations of a cell add up to, by kind."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from burstlab.iterations.log import DECODE_ONLY, KINDS, MIXED


@dataclass(frozen=True)
class KindSummary:
    """Iterations of one kind.

    `token_share` is the share of all generation tokens that iterations of this kind made (0 to 1; None
    when there are none at all), as in the study. The token that a prompt's last chunk yields is not among
    them: the log does not tell which chunk was the last, and that token belongs to TTFT, not to TPOT. Means
    are None where there is no iteration; `mean_tokens` counts context and generation tokens.
    """

    iterations: int
    generation_tokens: int
    token_share: float | None
    mean_ms: float | None
    mean_tokens: float | None


def summarise(iterations: pa.Table) -> dict[str, KindSummary]:
    """A summary for each of `KINDS`, from a table with the columns of `log.SCHEMA`."""
    kind = iterations["kind"].to_numpy(zero_copy_only=False).astype(str)
    elapsed_ms = iterations["elapsed_ms"].to_numpy()
    generation_tokens = iterations["generation_tokens"].to_numpy()
    tokens = iterations["context_tokens"].to_numpy() + generation_tokens
    total = int(generation_tokens.sum())
    summaries = {}
    for name in KINDS:
        chosen = kind == name
        made = int(generation_tokens[chosen].sum())
        summaries[name] = KindSummary(
            iterations=int(chosen.sum()),
            generation_tokens=made,
            token_share=made / total if total else None,
            mean_ms=_mean(elapsed_ms[chosen]),
            mean_tokens=_mean(tokens[chosen]),
        )
    return summaries


def expected_interval_ms(kinds: Mapping[str, KindSummary]) -> float | None:
    """Mean time between two tokens of a request that the kinds of iteration predict, in ms (claim B5).

    Σ over decode-only and mixed of token share × mean duration: a token waits for the iteration that makes
    it. None when no token was made.
    """
    terms = [
        kinds[name].token_share * kinds[name].mean_ms  # type: ignore[operator]  # both are set where tokens were made
        for name in (DECODE_ONLY, MIXED)
        if kinds[name].generation_tokens
    ]
    return sum(terms) if terms else None


def _mean(values: np.ndarray) -> float | None:
    return float(values.mean()) if values.size else None
