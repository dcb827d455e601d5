"""The table of exact batches: does it hold what the files with the times give?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from burstlab.errors import BurstlabError
from burstlab.exact_batches.record import TABLE, times_of
from burstlab.exact_batches.targets import ENGINE, engine_of
from burstlab.verify.same import table_differences, text_differences

TIMES_TABLE = f"{TABLE}.parquet"


def exact_batches_differences(folder: Path, files: Iterable[Path]) -> Iterator[str]:
    """A line a difference between the table of exact batches in `folder` and the times of the engines that it lists.

    `files` are all that are there. Where an engine has several, as it was asked other questions before, one has to give its rows.
    """
    path = folder / TIMES_TABLE
    try:
        stored = pq.read_table(path)
        there: dict[str, list[Path]] = {}
        for file in sorted(files):
            there.setdefault(engine_of(file), []).append(file)
        for engine, rows in _by_engine(stored):
            for difference in _differences(rows, there.get(engine, [])):
                yield f"{path}: of {engine}: {difference}"
        yield from text_differences(path, stored)
    except (BurstlabError, pa.ArrowException, OSError, KeyError) as error:
        yield f"{folder}: {error}"


def _by_engine(stored: pa.Table) -> Iterator[tuple[str, pa.Table]]:
    names = pc.binary_join_element_wise(*(stored[name] for name in ENGINE), "/")
    for engine in sorted(names.unique().to_pylist()):
        yield engine, stored.filter(pc.equal(names, engine))


def _differences(rows: pa.Table, files: list[Path]) -> list[str]:
    """What differs between the rows and those of the file that is nearest to them."""
    if not files:
        return ["has rows, but no file with its times is there"]
    found = [list(table_differences(rows, times_of([file]), "repetition")) for file in files]
    return min(found, key=len)
