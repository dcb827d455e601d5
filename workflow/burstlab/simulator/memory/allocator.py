"""What the engine asks of memory. Memory is counted in blocks."""

from __future__ import annotations

from typing import Protocol

from burstlab.simulator.job import Job


class Allocator(Protocol):
    """Hands out blocks to jobs that prefill, and lets those of decoding jobs grow by a token a step.

    Decoding jobs are grown all at once. So a job tells when it joins and leaves the decodes; `step` is the number of decode
    steps taken so far.
    """

    @property
    def blocks(self) -> int:
        """All blocks."""

    @property
    def free(self) -> int:
        """Those that nobody has."""

    def needs(self, job: Job, tokens: int) -> int:
        """Further blocks that a job which does not decode needs for its first `tokens` tokens."""

    def take(self, job: Job, tokens: int) -> None:
        """Give it those blocks; the caller has seen that they are free."""

    def release(self, job: Job) -> None:
        """Free all blocks of a job that does not decode."""

    def join(self, job: Job, tokens: int, step: int) -> None:
        """The job holds `tokens` tokens and decodes from now on."""

    def leave(self, job: Job, tokens: int, step: int) -> None:
        """The job has decoded until it holds `tokens` tokens, and gives all its blocks back."""

    def stay(self, job: Job, tokens: int, step: int) -> None:
        """The job has decoded until it holds `tokens` tokens, and decodes no more, but keeps its blocks."""

    def growth(self, step: int, steps: int) -> int:
        """Blocks that the next `steps` steps of all decodes take."""

    def grow(self, step: int, steps: int) -> None:
        """Take them."""

    def most_tokens(self) -> int:
        """The longest sequence that it can hold when nothing else runs."""
