"""Platforms of an archive under new names: two machines may both have been called cpu."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from burstlab.collections.exact_batches import copy_exact_batches
from burstlab.collections.places import CELLS, EXACT_BATCHES, RUNS
from burstlab.collections.renamed import BENCH_COMPRESSED, copy_renamed
from burstlab.errors import BurstlabError
from burstlab.imports.outcome import Outcome
from burstlab.records.cell_record import BENCH, RECORD, read_record
from burstlab.records.compressed import read_compressed


def rename_platforms(taken: Outcome, before: Path, collection: Path, platforms: Mapping[str, str]) -> Outcome:
    """Bring all that was `taken` to the folder `before` to `collection`, platforms called as `platforms` says.

    What keeps its name is moved as it is. Returns the outcome with the new names. Raises BurstlabError when a platform is not
    there or is simulated, or two cells would have one name.
    """
    there = {name.partition("/")[0] for name in taken.cells}
    for platform in sorted(platforms.keys() - there):
        raise BurstlabError(
            f"--platform {platform}={platforms[platform]}: the archive has no cells on {platform}, "
            f"but on {', '.join(sorted(there)) or 'none'}"
        )
    _bring_times(before / EXACT_BATCHES, collection / EXACT_BATCHES, platforms)
    return Outcome(
        cells=[_bring(name, before / CELLS, collection / CELLS, platforms) for name in taken.cells],
        runs=[_bring(name, before / RUNS, collection / RUNS, platforms) for name in taken.runs],
        refused=taken.refused,
        notes=taken.notes,
    )


def _bring(name: str, before: Path, after: Path, platforms: Mapping[str, str]) -> str:
    platform, _, rest = name.partition("/")
    folder, renamed = before / name, f"{platforms.get(platform, platform)}/{rest}"
    if platform in platforms:
        if (folder / BENCH_COMPRESSED).exists():
            (folder / BENCH).write_bytes(read_compressed(folder / BENCH_COMPRESSED))
        copy_renamed(read_record(folder / RECORD).cell.cell(), folder, after, platforms[platform])
        return renamed
    if (after / renamed).exists():
        raise BurstlabError(f"two cells would be {renamed}: give their platforms two names")
    (after / renamed).parent.mkdir(parents=True, exist_ok=True)
    folder.rename(after / renamed)
    return renamed


def _bring_times(before: Path, after: Path, platforms: Mapping[str, str]) -> None:
    """Exact batches, a file an engine in a folder a platform and model."""
    for path in sorted(before.glob("*/*/*.json")):
        if path.parts[-3] in platforms:
            list(copy_exact_batches([path], after, platforms))
            continue
        target = after / path.relative_to(before)
        target.parent.mkdir(parents=True, exist_ok=True)
        path.rename(target)
