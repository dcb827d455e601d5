"""Kinds of iteration are compared in the same CUDA graph mode.

Reason: by default vLLM runs decode-only iterations in full graphs and mixed ones piecewise, so their difference is one of
graphs as well as of batches. It is one of batches alone when graphs are off, piecewise for both, or full for both; on a CPU
there are none.
"""

from collections.abc import Sequence

from burstlab.records.schema import Gate
from burstlab.validity.evidence import Evidence
from burstlab.validity.outcome import decided, not_applicable, not_judged

NAME = "same-graph-mode"
ALIKE = frozenset({"NONE", "PIECEWISE", "FULL"})


def judge(cells: Sequence[Evidence]) -> Gate:
    """Failed when decode-only and mixed iterations of a cell ran in different modes."""
    on_gpu = [one for one in cells if one.on_gpu]
    if not on_gpu:
        return not_applicable(NAME, "no cell ran on a GPU")
    modes = {one.reported("cudagraph_mode") for one in on_gpu}
    named = ", ".join(sorted(mode for mode in modes if mode is not None))
    if modes - ALIKE - {None}:
        return decided(
            NAME, False, f"cudagraph_mode is {named}: decode-only and mixed iterations differ in it"
        )
    if None in modes:
        return not_judged(NAME, "an engine's log names no cudagraph_mode")
    return decided(NAME, True, f"cudagraph_mode is {named}, for both kinds of iteration")
