"""Cells are compared at the same batch limits.

Reason: vLLM's defaults are 8192 tokens and 1024 sequences on GPUs of 70 GB and more, but 2048 and 256 on an A100
(vllm/engine/arg_utils.py). Left open, a comparison of GPUs is one of batch sizes too. The limits must be stated by each cell's
engine or specification, and be alike; within one platform, whose defaults are alike, they may be unknown.
"""

from collections.abc import Sequence

from burstlab.records.schema import Gate
from burstlab.validity.conditions import Conditions
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "same-batch-limits"
_Limits = tuple[int | None, int | None]


def judge(cells: Sequence[Conditions]) -> Gate:
    """Failed when cells had different limits; not judged when those of one of several platforms are not known."""
    known = {(one.platform, (one.max_batched_tokens, one.max_sequences)) for one in cells}
    described = "; ".join(_in_words(*one) for one in sorted(known, key=str))
    # Two that are known and differ are enough, whatever the others had.
    if any(len({limits[place] for _, limits in known} - {None}) > 1 for place in range(2)):
        return decided(NAME, False, described)
    if any(None in limits for _, limits in known):
        if len({platform for platform, _ in known}) == 1:
            return not_applicable(NAME, "one platform, whose defaults are alike")
        return not_judged(NAME, described)
    return decided(NAME, True, described)


def _in_words(platform: str, limits: _Limits) -> str:
    tokens, sequences = ("unknown" if limit is None else f"{limit:,}" for limit in limits)
    return f"{platform}: at most {tokens} tokens and {sequences} sequences in an iteration"
