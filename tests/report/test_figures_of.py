"""Which figures the page shows of a group."""

from burstlab.figures.registry import CELL_FIGURES, FIGURES, PROFILE_FIGURES, Group
from burstlab.report.context import figures_of

OLD, NEW, OTHER = (("h200", "m", name, "w") for name in ("fa2", "fa3", "eager"))
PAIR: Group = ("h200", "m", "fa2+fa3", "w")


def names(group: Group, *profiled: Group) -> list[tuple[str, Group]]:
    return [(kind.name, of) for kind, of in figures_of(FIGURES, group, set(profiled))]


def test_a_group_has_the_figures_of_cells() -> None:
    assert names(OTHER) == [(kind.name, OTHER) for kind in CELL_FIGURES]


def test_one_with_profiled_runs_has_theirs_too() -> None:
    assert set(names(NEW, NEW)) == {(kind.name, NEW) for kind in (*CELL_FIGURES, *PROFILE_FIGURES)}


def test_a_pair_of_engines_is_shown_once_with_the_older_one() -> None:
    assert ("fig6", PAIR) in names(OLD, OLD, NEW, PAIR)
    assert "fig6" not in {name for name, _ in names(NEW, OLD, NEW, PAIR)}
    assert "fig6" not in {name for name, _ in names(OTHER, OLD, NEW, PAIR)}
