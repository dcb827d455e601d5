"""What vLLM does where nothing is said, and by its release: the same for cells of a study and for `burstlab advise`."""

from __future__ import annotations

import re

from burstlab.simulator.costs.roofline.constants import constant

# In tokens and requests of an iteration (vllm/engine/arg_utils.py, release 0.32), by the GPU's memory.
_LARGE_GIB = 70
_SMALL, _LARGE = (2048, 256), (8192, 1024)
# The first release that takes decodes of Gated DeltaNet layers out of mixed batches (vLLM pull request 44700).
_PEELED_SINCE = (0, 23)


def limits(gpu: str) -> tuple[int, int]:
    """The most batched tokens and sequences on a GPU."""
    return _LARGE if constant(f"{gpu}.memory") >= _LARGE_GIB else _SMALL


def is_ampere(gpu: str) -> bool:
    """Whether it runs FlashAttention 2, and no later version."""
    return gpu.startswith("a100")


def gdn_path(version: str) -> str | None:
    """The path of Gated DeltaNet layers in a release such as 0.22.1; None where that is no release."""
    numbers = re.match(r"v?(\d+)\.(\d+)", version)
    if numbers is None:
        return None
    return "peeled" if tuple(map(int, numbers.groups())) >= _PEELED_SINCE else "whole"
