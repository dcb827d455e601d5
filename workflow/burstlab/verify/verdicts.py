"""The verdicts and their checks: are they what the study's tables give?"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from burstlab.claims.judge import write_verdicts
from burstlab.errors import BurstlabError
from burstlab.tables.study_tables import CELLS_TABLE, ITERATIONS_TABLE, REQUESTS_TABLE
from burstlab.verify.same import table_differences

VERDICTS_TABLE = "verdicts.parquet"
PROFILED_TABLES = ("interference.parquet", "paths.parquet", "exact_batches.parquet")
"""Verdicts rest on these where they are there."""
TABLES = (VERDICTS_TABLE, "checks.parquet")


def verdict_differences(folder: Path) -> Iterator[str]:
    """A line a difference between the verdicts in `folder` and those that the tables beside them give."""
    with tempfile.TemporaryDirectory(prefix="burstlab-verify-") as name:
        anew = Path(name)
        for table in (CELLS_TABLE, REQUESTS_TABLE, ITERATIONS_TABLE, *PROFILED_TABLES):
            if table not in PROFILED_TABLES or (folder / table).exists():
                (anew / table).symlink_to((folder / table).resolve())
        try:
            write_verdicts(anew)
            for table in TABLES:
                stored, derived = pq.read_table(folder / table), pq.read_table(anew / table)
                for difference in table_differences(stored, derived, "id"):
                    yield f"{folder / table}: {difference}"
        except (BurstlabError, pa.ArrowException, OSError) as error:
            yield f"{folder}: {error}"
