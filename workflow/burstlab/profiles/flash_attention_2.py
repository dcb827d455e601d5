"""FlashAttention 2's packed and unpacked launches, which have one name.

`mha_varlen_fwd` in csrc/flash_attn/flash_api.cpp of vllm-project/flash-attention packs the query heads that share a KV head
where the longest query has length 1 and there is neither a window nor ALiBi: it turns Is_causal off, and what was the
head within its group becomes the row of one query. So a packed launch has Is_causal, Is_local and Has_alibi off, and its
grid is one block wide in x (as long as a group has at most 64 heads, the rows of a block). A longer query in the batch
makes it causal, and unpacked for all.

A model without grouped heads has nothing to pack; its decode-only launches look the same and count as packed.
"""

from __future__ import annotations

import re

from burstlab.profiles.grid import Size
from burstlab.profiles.template_arguments import arguments, flag

PACKED = "fa2-packed"
UNPACKED = "fa2-unpacked"

_KERNEL = re.compile(r"\bflash_fwd_splitkv_kernel<")
_DENSE = re.compile(r"\bflash_fwd_kernel<")


def packing(name: str, grid: Size | None) -> str | None:
    """`PACKED` or `UNPACKED`; None where the name has no template arguments that tell.

    `grid` is None where the trace has none; then the arguments alone decide.
    """
    if _DENSE.search(name):
        return UNPACKED  # the kernel without a KV cache, of which vLLM's decodes make no use
    flags = _flags(name)
    if flags is None:
        return None
    causal, local, alibi = flags
    one_row = grid is None or grid[0] == 1
    return PACKED if one_row and not (causal or local or alibi) else UNPACKED


def _flags(name: str) -> tuple[bool, bool, bool] | None:
    """The first three arguments after the traits: Is_causal, Is_local, Has_alibi."""
    found = _KERNEL.search(name)
    if found is None:
        return None
    words = [flag(word) for word in arguments(name[found.end() :])[1:4]]
    if len(words) < 3 or None in words:
        return None
    return bool(words[0]), bool(words[1]), bool(words[2])
