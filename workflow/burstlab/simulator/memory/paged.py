"""Paged memory: a job holds as many blocks as its tokens fill, the last one possibly in part (PagedAttention, SOSP 2023)."""
# ruff: noqa: ARG002 - the arguments are those of `Allocator`

from __future__ import annotations

from burstlab.errors import BurstlabError
from burstlab.simulator.job import Job


class Paged:
    """`blocks` blocks of `block_tokens` tokens each."""

    __slots__ = ("_starting", "block_tokens", "blocks", "free")

    def __init__(self, blocks: int, block_tokens: int = 16) -> None:
        if blocks < 1 or block_tokens < 1:
            raise BurstlabError(
                f"memory of {blocks} blocks of {block_tokens} tokens; both must be at least 1"
            )
        self.blocks = self.free = blocks
        self.block_tokens = block_tokens
        # How many decodes start a new block at steps that are 0, 1, 2, … modulo block_tokens; twice, so that a
        # stretch which passes the end is one slice.
        self._starting = [0] * (2 * block_tokens)

    def needs(self, job: Job, tokens: int) -> int:
        """Blocks for `tokens` tokens, without those the job has."""
        return -(-tokens // self.block_tokens) - job.blocks

    def take(self, job: Job, tokens: int) -> None:
        """Give them."""
        taken = self.needs(job, tokens)
        job.blocks += taken
        self.free -= taken

    def release(self, job: Job) -> None:
        """Free all."""
        self.free += job.blocks
        job.blocks = 0

    def join(self, job: Job, tokens: int, step: int) -> None:
        """Its next token opens a block when it holds a multiple of `block_tokens`."""
        self._count((step - tokens) % self.block_tokens, 1)

    def leave(self, job: Job, tokens: int, step: int) -> None:
        """Free what `tokens` tokens fill."""
        self._count((step - tokens) % self.block_tokens, -1)
        self.free += -(-tokens // self.block_tokens)
        job.blocks = 0

    def stay(self, job: Job, tokens: int, step: int) -> None:
        """It opens no more blocks."""
        self._count((step - tokens) % self.block_tokens, -1)
        job.blocks = -(-tokens // self.block_tokens)

    def _count(self, phase: int, change: int) -> None:
        self._starting[phase] += change
        self._starting[phase + self.block_tokens] += change

    def growth(self, step: int, steps: int) -> int:
        """Every decode opens a block once in `block_tokens` steps."""
        size = self.block_tokens
        start = step % size
        if steps < size:
            return sum(self._starting[start : start + steps])
        rounds, rest = divmod(steps, size)
        return rounds * sum(self._starting[:size]) + sum(self._starting[start : start + rest])

    def grow(self, step: int, steps: int) -> None:
        """Take what `growth` says."""
        self.free -= self.growth(step, steps)

    def most_tokens(self) -> int:
        """All blocks."""
        return self.blocks * self.block_tokens
