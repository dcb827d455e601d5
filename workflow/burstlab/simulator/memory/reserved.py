"""Memory for the longest possible sequence is set aside when a job is admitted, as Orca does (OSDI 2022, section 4.2)."""
# ruff: noqa: ARG002 - the arguments are those of `Allocator`

from __future__ import annotations

from burstlab.errors import BurstlabError
from burstlab.simulator.job import Job
from burstlab.simulator.memory.at_admission import AtAdmission


class Reserved(AtAdmission):
    """`blocks` blocks of `block_tokens` tokens; each job takes as many as `max_len_tokens` fill."""

    __slots__ = ("_each", "block_tokens", "blocks", "free")

    def __init__(self, blocks: int, max_len_tokens: int, block_tokens: int = 16) -> None:
        self._each = -(-max_len_tokens // block_tokens)
        if not 1 <= self._each <= blocks:
            raise BurstlabError(
                f"memory of {blocks} blocks of {block_tokens} tokens holds no sequence of {max_len_tokens} tokens"
            )
        self.blocks = self.free = blocks
        self.block_tokens = block_tokens

    def needs(self, job: Job, tokens: int) -> int:
        """All at once, or nothing more."""
        return self._each - job.blocks

    def take(self, job: Job, tokens: int) -> None:
        """Set them aside."""
        self.free -= self.needs(job, tokens)
        job.blocks = self._each

    def release(self, job: Job) -> None:
        """Free all."""
        self.free += job.blocks
        job.blocks = 0

    def most_tokens(self) -> int:
        """What one job reserves."""
        return self._each * self.block_tokens
