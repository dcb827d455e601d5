"""The iterations as they are run, one entry for each stretch of them."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

import numpy as np

from burstlab.simulator.job import Job


class IterationLog:
    """Counts are those of vLLM's own log: a chunk is context until its request has yielded a token, then generation."""

    COLUMNS = (
        "start_ps", "first_ps", "growth_ps", "steps",
        "context_requests", "context_tokens", "generation_requests", "generation_tokens",
    )  # fmt: skip

    def __init__(self) -> None:
        self._columns = tuple(array("q") for _ in self.COLUMNS)
        self.blocks = array("q")
        """Blocks in use after each iteration, once finished requests have given theirs back."""

    def add(
        self,
        start_ps: int,
        first_ps: int,
        growth_ps: int,
        steps: int,
        decodes: int,
        chunks: Sequence[tuple[Job, int]],
    ) -> None:
        """`steps` iterations, the first of which starts at `start_ps` and takes `first_ps`."""
        context = [tokens for job, tokens in chunks if job.generated == 0]
        again = [tokens for job, tokens in chunks if job.generated > 0]
        row = (
            start_ps, first_ps, growth_ps, steps,
            len(context), sum(context), decodes + len(again), decodes + sum(again),
        )  # fmt: skip
        for column, value in zip(self._columns, row, strict=True):
            column.append(value)

    def stretches(self) -> dict[str, np.ndarray]:
        """The columns, int64, shape (stretches,)."""
        pairs = zip(self.COLUMNS, self._columns, strict=True)
        return {name: np.array(column, dtype=np.int64) for name, column in pairs}
