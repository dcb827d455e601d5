"""Where the page's cells come from: which were run here, and which a collection brought."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pandas as pd

from burstlab.collections.manifest import Manifest
from burstlab.collections.places import record_of


@dataclass(frozen=True, slots=True)
class Origin:
    """Cells of one origin; `title` is the collection's, empty for those that were run here.

    Times (UTC, ISO 8601) are those at which the first and the last of them began; None where no record has one.
    """

    title: str
    cells: int
    counted: int
    evidence: tuple[str, ...]
    first_utc: str | None
    last_utc: str | None

    @property
    def excluded(self) -> int:
        """How many do not count."""
        return self.cells - self.counted


def gather(
    cells: pd.DataFrame,
    started_utc: Mapping[Path, str],
    results: Path,
    collections: Sequence[Path],
    manifests: Sequence[Manifest],
) -> list[Origin]:
    """Those run here first, then each of `collections`, of which `manifests` tell; none without cells.

    `started_utc` has the time of each record that tells one.
    """
    paths = pd.Series([record_of(str(cell), results, collections) for cell in cells["cell"]], cells.index)
    titles = {folder: manifest.title for folder, manifest in zip(collections, manifests, strict=True)}
    homes = [next((one for one in collections if path.is_relative_to(one)), None) for path in paths]
    return list(_origins(cells.assign(path=paths, home=pd.Series(homes, cells.index)), titles, started_utc))


def _origins(
    cells: pd.DataFrame, titles: Mapping[Path, str], started_utc: Mapping[Path, str]
) -> Iterator[Origin]:
    for home, title in ((None, ""), *titles.items()):
        some = cells[[one == home if home else not isinstance(one, Path) for one in cells["home"]]]
        times = sorted(started_utc[path] for path in some["path"] if path in started_utc)
        if len(some):
            yield Origin(
                title,
                len(some),
                int(some["counted"].sum()),
                tuple(sorted(some["evidence"].unique())),
                times[0] if times else None,
                times[-1] if times else None,
            )
