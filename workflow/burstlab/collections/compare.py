"""Are the figures drawn here those that a collection came with, byte for byte?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from burstlab.collections.manifest import Manifest, read_manifest
from burstlab.collections.places import CELLS, RUNS
from burstlab.figures.registry import CELL_FIGURES, PROFILE_FIGURES, group_slug

SUFFIXES = (".svg", ".csv")


@dataclass(frozen=True)
class Comparison:
    """How many files of a collection were compared, and what is wrong with those that are not the same."""

    files: int
    differences: Sequence[str]


def compare(folder: Path, results: Path) -> Comparison:
    """Compare each figure of the collection in `folder` with the one in `results/figures`.

    Every kind of figure counts for every group of the collection's cells, or of its profiled runs, so that a figure
    which either side lacks is a difference too. Raises BurstlabError when there is no collection in `folder`.
    """
    paths = list(_expected(read_manifest(folder)))
    found = (_difference(folder / path, results / path, path) for path in paths)
    return Comparison(len(paths), [difference for difference in found if difference is not None])


def _expected(manifest: Manifest) -> Iterator[str]:
    for kinds, below, records in (
        (CELL_FIGURES, CELLS, manifest.records),
        (PROFILE_FIGURES, RUNS, manifest.profiled_records),
    ):
        groups = sorted({tuple(path.removeprefix(f"{below}/").split("/")[:4]) for path in records})
        for kind in kinds:
            for group in groups:
                for suffix in SUFFIXES:
                    yield f"figures/{kind.name}/{group_slug(group)}{suffix}"


def _difference(shipped: Path, drawn: Path, path: str) -> str | None:
    if not shipped.is_file():
        return f"{path}: the collection came without it"
    if not drawn.is_file():
        return f"{path}: was not drawn"
    ours, theirs = drawn.read_bytes(), shipped.read_bytes()
    if ours == theirs:
        return None
    pairs = zip(ours.splitlines(), theirs.splitlines(), strict=False)
    same = next((number for number, (one, other) in enumerate(pairs) if one != other), None)
    where = f"from line {same + 1} on" if same is not None else "in length"
    return f"{path}: differs {where}"
