"""The verdicts on a comparison of cells."""

from collections.abc import Callable, Iterable, Sequence

from burstlab.records.schema import Gate
from burstlab.validity.comparisons import same_batch_limits, same_engine_version, same_graph_mode
from burstlab.validity.conditions import Conditions

Judge = Callable[[Sequence[Conditions]], Gate]

ARMS: tuple[Judge, ...] = (same_batch_limits.judge, same_engine_version.judge)
"""Asked where cells are held against each other: arms of burstiness, engines, platforms."""
KINDS: tuple[Judge, ...] = (same_graph_mode.judge,)
"""Asked where kinds of iteration are held against each other, within cells."""


def judge_arms(cells: Sequence[Conditions]) -> tuple[Gate, ...]:
    """A verdict of each gate of `ARMS` on the cells that are compared."""
    return tuple(judge(cells) for judge in ARMS)


def judge_kinds(cells: Sequence[Conditions]) -> tuple[Gate, ...]:
    """A verdict of each gate of `KINDS` on the cells whose kinds of iteration are compared."""
    return tuple(judge(cells) for judge in KINDS)


def confounds(gates: Iterable[Gate]) -> tuple[str, ...]:
    """What else than the thing compared was different, with the evidence: a text for each gate that failed."""
    return tuple(f"{gate.name}: {gate.message}" for gate in gates if gate.state == "failed")
