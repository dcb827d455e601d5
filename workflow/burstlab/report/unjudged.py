"""How many counted cells have gates of which nobody knows whether they would pass."""

from collections import Counter
from dataclasses import dataclass

import pandas as pd


@dataclass(frozen=True, slots=True)
class Unjudged:
    """`cells` of the `counted` ones have such a gate; `gates` are those gates, each with its number of cells, most first."""

    cells: int
    counted: int
    gates: tuple[tuple[str, int], ...]


def gather(cells: pd.DataFrame) -> Unjudged:
    """From the table of cells. Gates that do not apply to a cell are not in it."""
    counted = cells[cells["counted"]]
    names = [text.split(",") for text in counted.get("unjudged_gates", pd.Series(dtype=str)) if text]
    found = Counter(name for some in names for name in some)
    return Unjudged(len(names), len(counted), tuple(found.most_common()))
