"""Which figures a study has, and the files of each. Imports no drawing library: the workflow reads it at every start."""

from collections.abc import Sequence
from pathlib import Path

from burstlab.collections.members import CollectedCell, collected_sources
from burstlab.figures import registry
from burstlab.study.cells import Cell
from burstlab.study.schema import Study

Group = tuple[str, str, str, str]

# A minute's work, beside which the start of the drawing library is little: a job less would idle a large machine.
MOST_IN_A_JOB = 40


def groups_of(cells: Sequence[Cell | CollectedCell]) -> list[Group]:
    """Platform, model, engine and workload of each group that has a figure of each kind."""
    return sorted({cell.group for cell in cells})


def batches(groups: Sequence[Sequence[str]], most: int = MOST_IN_A_JOB) -> list[Sequence[Sequence[str]]]:
    """The groups in parts of at most `most`, in order; one part even of none."""
    return [groups[start : start + most] for start in range(0, max(len(groups), 1), most)]


def pairs_of(study: Study, groups: Sequence[Group]) -> list[Group]:
    """The groups of two engines that differ in their version of FlashAttention alone, the older one first.

    The engine of such a group is `old+new`; both engines are among those of `groups` with the same model and workload.
    """
    there = set(groups)
    return [
        (platform, model, registry.PAIR.join((older, newer)), workload)
        for platform, model, older, workload in sorted(there)
        for newer in sorted(study.engines)
        if (platform, model, newer, workload) in there and _is_newer(study, older, newer)
    ]


def _is_newer(study: Study, older: str, newer: str) -> bool:
    old, new = study.engines.get(older), study.engines[newer]
    if old is None or old.flash_attn_version is None or new.flash_attn_version is None:
        return False
    alike = old.model_copy(update={"flash_attn_version": new.flash_attn_version}) == new
    return alike and old.flash_attn_version < new.flash_attn_version


def drawn_of(
    kind: registry.FigureKind,
    groups: Sequence[Group],
    profiled: Sequence[Group] = (),
    pairs: Sequence[Group] = (),
    *,
    batches_timed: bool = False,
) -> Sequence[Sequence[str]]:
    """What a kind of figure is drawn of: each group, each with profiled runs, each pair of engines, or the study as a whole."""
    if kind.of_study:
        return [registry.WHOLE_STUDY] if batches_timed or not kind.of_batches else []
    if kind.of_pairs:
        return pairs
    return profiled if kind.of_profiles else groups


def figure_files(results: str, figure: str, groups: Sequence[Sequence[str]], suffix: str) -> list[str]:
    """The file of `figure` with `suffix` (.svg or .csv) for each group."""
    return [f"{results}/figures/{figure}/{registry.group_slug(group)}{suffix}" for group in groups]


def sources_of_prompts(
    study: Study,
    cells: Sequence[Cell],
    collected: Sequence[CollectedCell] = (),
    pairs: Sequence[Group] = (),
) -> dict[str, str]:
    """For each group, by its slug, where its prompts come from, so that a synthetic one is called so in its figures.

    `pairs` are groups of two engines of the study.
    """
    sources = dict(collected_sources(collected, study.root))
    for group in [*groups_of(cells), *pairs]:
        dataset = study.workloads[group[3]].dataset
        sources[group] = study.datasets[dataset].source if dataset in study.datasets else dataset
    return {registry.group_slug(group): source for group, source in sorted(sources.items())}


def modules_of(package: str) -> list[str]:
    """The modules of a package of the library: Snakemake sees changes of a script, but not of what it imports."""
    return sorted(map(str, (Path(registry.__file__).parents[1] / package).glob("*.py")))
