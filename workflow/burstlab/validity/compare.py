"""The verdicts on a comparison of cells."""

from collections.abc import Sequence

from burstlab.records.schema import Gate
from burstlab.validity.comparisons import same_batch_limits, same_engine_version, same_graph_mode
from burstlab.validity.evidence import Evidence

COMPARISONS = (same_batch_limits.judge, same_graph_mode.judge, same_engine_version.judge)


def judge_comparison(cells: Sequence[Evidence]) -> tuple[Gate, ...]:
    """A verdict of each gate on the cells that are held against each other.

    `same-graph-mode` is about comparing kinds of iteration within them, the others about comparing the cells.
    """
    return tuple(judge(cells) for judge in COMPARISONS)
