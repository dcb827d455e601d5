"""What the gates of comparisons say of everything that the page holds against each other."""

from collections.abc import Iterator
from dataclasses import dataclass

import pandas as pd

from burstlab.records.schema import Gate
from burstlab.validity.compare import judge_arms, judge_kinds
from burstlab.validity.conditions import distinct

ARMS, KINDS, PLATFORMS = "arms of burstiness", "kinds of iteration", "platforms"
WHERES_SHOWN = 6

Asked = tuple[str, str, tuple[Gate, ...]]
"""What was compared, where, and what the gates say."""


@dataclass(frozen=True, slots=True)
class Objection:
    """One gate that failed, or that nobody could judge, wherever it says the same."""

    compared: str
    gate: str
    state: str
    message: str
    wheres: tuple[str, ...]

    @property
    def where(self) -> str:
        """The places, the first of them by name."""
        more = len(self.wheres) - WHERES_SHOWN
        return ", ".join(self.wheres[:WHERES_SHOWN]) + (f" and {more} more" if more > 0 else "")


@dataclass(frozen=True, slots=True)
class Comparability:
    """How many comparisons of each sort were asked about, and the objections, failed ones first."""

    asked: tuple[tuple[str, int], ...]
    objections: tuple[Objection, ...]


def gather(cells: pd.DataFrame) -> Comparability:
    """What the gates say of the counted cells of a study."""
    asked = list(_asked(cells[cells["counted"]]))
    counts = tuple((word, sum(one == word for one, _, _ in asked)) for word in (ARMS, KINDS, PLATFORMS))
    places: dict[tuple[str, str, str, str], list[str]] = {}
    for compared, where, gates in asked:
        for gate in gates:
            if gate.state in ("failed", "not judged"):
                places.setdefault((compared, gate.name, gate.state, gate.message), []).append(where)
    found = [Objection(*key, tuple(dict.fromkeys(wheres))) for key, wheres in places.items()]
    return Comparability(counts, tuple(sorted(found, key=lambda one: one.state != "failed")))


def _asked(cells: pd.DataFrame) -> Iterator[Asked]:
    paced = cells[(cells["arrivals"] == "gamma") & (cells["rate"] < float("inf"))]
    group = ["platform", "model", "engine", "workload"]
    for names, some in paced.groupby([*group, "rate", "evidence"], sort=True):
        if some["burstiness"].nunique() > 1:
            yield ARMS, " · ".join(map(str, names[:4])), judge_arms(distinct(some))
    for names, some in cells.groupby(["platform", "model", "engine"], sort=True):
        yield KINDS, " · ".join(map(str, names)), judge_kinds(distinct(some))
    for names, some in cells.groupby(["model", "engine", "workload", "evidence"], sort=True):
        platforms = sorted(some["platform"].unique())
        if len(platforms) > 1:
            yield (
                PLATFORMS,
                f"{' · '.join(map(str, names[:3]))} on {', '.join(platforms)}",
                judge_arms(distinct(some)),
            )
