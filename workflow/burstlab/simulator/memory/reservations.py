"""How many slots a contiguous allocator sets aside for a job: what is compared in PagedAttention (SOSP 2023, section 6.1)."""

from __future__ import annotations

from collections.abc import Callable

from burstlab.simulator.job import Job

Reservation = Callable[[Job], int]


def longest(max_len_tokens: int) -> Reservation:
    """Orca (Max): the longest sequence that the model allows."""
    return lambda _: max_len_tokens


def power_of_two(job: Job) -> int:
    """Orca (Pow2): the prompt, and the output rounded up to a power of two, as if that much were known."""
    return job.prompt + (1 << (job.output - 1).bit_length())


def oracle(job: Job) -> int:
    """Orca (Oracle): the prompt and the output, as if its length were known."""
    return job.prompt + job.output
