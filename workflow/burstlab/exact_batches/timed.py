"""What was timed of one engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Timed:
    """`rows` have the number of a shape, arm, repetition, part and ms; where there are none, `why` says so.

    `by` is what timed it, or what says how long it takes where the `evidence` is `simulated`; `threads` is how many computed on a
    CPU. `others_share` is the share of the machine's cores that other programs used meanwhile.
    """

    by: str
    vllm: str | None
    threads: int | None
    rows: tuple[dict[str, Any], ...]
    why: str | None = None
    others_share: float | None = None
    evidence: str = "measured"
