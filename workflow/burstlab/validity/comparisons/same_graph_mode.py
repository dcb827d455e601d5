"""Kinds of iteration are compared in the same CUDA graph mode.

Reason: by default vLLM runs decode-only iterations in full graphs and mixed ones piecewise, so their difference is one of
graphs as well as of batches. It is one of batches alone when graphs are off, piecewise for both, or full for both; on a CPU
there are none.
"""

from collections.abc import Sequence

from burstlab.records.schema import Gate
from burstlab.validity.conditions import Conditions
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "same-graph-mode"
ALIKE = frozenset({"NONE", "PIECEWISE", "FULL"})


def judge(cells: Sequence[Conditions]) -> Gate:
    """Failed when decode-only and mixed iterations of a cell ran in different modes."""
    asked = [one for one in cells if one.on_gpu is not False]
    if not asked:
        return not_applicable(NAME, "no cell ran on a GPU")
    modes = {one.cudagraph_mode for one in asked}
    named = ", ".join(sorted(mode for mode in modes if mode is not None))
    if modes - ALIKE - {None}:
        return decided(
            NAME, False, f"cudagraph_mode is {named}: decode-only and mixed iterations differ in it"
        )
    if None in modes:
        return not_judged(NAME, "the CUDA graph mode is not known of every cell")
    return decided(NAME, True, f"cudagraph_mode is {named}, for both kinds of iteration")
