"""Platforms are compared at the same batch limits.

Reason: vLLM's defaults are 8192 tokens and 1024 sequences on GPUs of 70 GB and more, but 2048 and 256 on an A100
(vllm/engine/arg_utils.py). Left open, a comparison of GPUs is one of batch sizes too. The limits must be stated by each cell's
engine or specification, and be alike.
"""

from collections.abc import Sequence

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "same-batch-limits"
_LIMITS = ("max_batched_tokens", "max_sequences")


def judge(cells: Sequence[Evidence]) -> Gate:
    """Failed when cells of several platforms had different limits; not judged when one's are not known."""
    if len({one.cell.platform for one in cells}) < 2:
        return not_applicable(NAME, "one platform")
    known = {(one.cell.platform, tuple(_limit(one, key) for key in _LIMITS)) for one in cells}
    described = "; ".join(_in_words(*one) for one in sorted(known, key=str))
    # Two that are known and differ are enough, whatever the others had.
    if any(len({limits[place] for _, limits in known} - {None}) > 1 for place in range(len(_LIMITS))):
        return decided(NAME, False, described)
    if any(None in limits for _, limits in known):
        return not_judged(NAME, described)
    return decided(NAME, True, described)


def _limit(cell: Evidence, key: str) -> str | None:
    used = cell.reported(key) or cell.reported(f"argument_{key}")
    asked = cell.asked("engine", key)
    return used or (None if asked is None else str(asked))


def _in_words(platform: str, limits: tuple[str | None, ...]) -> str:
    stated = [f"{key} {value or 'unknown'}" for key, value in zip(_LIMITS, limits, strict=True)]
    return f"{platform}: {', '.join(stated)}"
