"""FlashAttention 3's packed and unpacked launches, told apart by a template argument.

The name of a launch has its main loop, CollectiveMainloopFwdSm90, whose argument PackGQA says whether the query heads that
share a KV head are rows of one tile (hopper/mainloop_fwd_sm90_tma_gmma_ws.hpp in vllm-project/flash-attention). It is the
17th: stages, cluster, tile, value dimension, element, accumulator, architecture, then the flags Is_causal, Is_local,
Has_softcap, Varlen, PagedKVNonTMA, AppendKV, HasQv, MmaPV_is_RS, IntraWGOverlap, PackGQA, Split, V_colmajor.
"""

from __future__ import annotations

from burstlab.profiles.template_arguments import arguments, flag

PACKED = "fa3-packed"
UNPACKED = "fa3-unpacked"

_MAIN_LOOP = "CollectiveMainloopFwdSm90<"
_FIRST_FLAG, _PACK, _LAST_FLAG = 7, 16, 18


def packing(name: str) -> str | None:
    """`PACKED` or `UNPACKED`; None where the name does not have all of the arguments, such as that of another version."""
    _, found, rest = name.partition(_MAIN_LOOP)
    flags = [flag(one) for one in arguments(rest)[_FIRST_FLAG : _LAST_FLAG + 1]] if found else []
    if len(flags) <= _LAST_FLAG - _FIRST_FLAG or None in flags:
        return None
    return PACKED if flags[_PACK - _FIRST_FLAG] else UNPACKED
