"""The family of each launch of a table, and the part that it counts as."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from burstlab.profiles.columns import words
from burstlab.profiles.families import families, family_of
from burstlab.profiles.grid import Size, parse_size
from burstlab.profiles.raw import NONE


def family_numbers(
    names: Sequence[str], name: np.ndarray, grids: Sequence[Size | None], grid: np.ndarray
) -> np.ndarray:
    """The number of each launch's family in `families()`, `NONE` if no rule fits, shape (launches,).

    `name` and `grid` are numbers into `names` and `grids`, `NONE` where a launch has none.
    """
    known = list(families())

    def number(family: str | None) -> int:
        return NONE if family is None else known.index(family)

    of_name = [family_of(word) for word in names]
    found: np.ndarray = np.array([*map(number, of_name), NONE], dtype=np.int8)[name]
    # Only FA2's family depends on the grid.
    for one, word in enumerate(names):
        if not (of_name[one] or "").startswith("fa2"):
            continue
        chosen = np.flatnonzero(name == one)
        of_size = [number(family_of(word, size)) for size in [None, *grids]]
        found[chosen] = np.array(of_size, dtype=np.int8)[grid[chosen] - NONE]
    return found


def family_columns(family: np.ndarray) -> dict[str, pa.Array]:
    """The columns `family` and `part` of launches whose families have these numbers."""
    parts = list(dict.fromkeys(one.part for one in families().values()))
    of_family = np.array([*(parts.index(one.part) for one in families().values()), NONE], dtype=np.int8)
    return {"family": words(family, list(families())), "part": words(of_family[family], parts)}


def with_families(launches: pa.Table) -> pa.Table:
    """The launches with families and parts by the rules of today: those of the day when they were written may be others."""
    name, grid = (launches[column].combine_chunks() for column in ("name", "grid"))
    sizes = [None if text is None else parse_size(text) for text in grid.dictionary.to_pylist()]
    names = [text or "" for text in name.dictionary.to_pylist()]
    family = family_numbers(names, _numbers(name), sizes, _numbers(grid))
    for column, values in family_columns(family).items():
        place = launches.schema.get_field_index(column)
        launches = launches.set_column(place, launches.schema.field(place), values)
    return launches


def _numbers(column: pa.DictionaryArray) -> np.ndarray:
    numbers: np.ndarray = pc.fill_null(column.indices, NONE).to_numpy()
    return numbers
