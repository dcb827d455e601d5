"""Azure LLM inference traces: when requests came and how long they were (Patel et al., Splitwise, ISCA
2024).
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from burstlab.datasets.columns import read_csv_columns
from burstlab.datasets.filtering import Sieve
from burstlab.datasets.lengths import Prepared, lengths
from burstlab.datasets.timestamps import NAME, write_timestamps
from burstlab.errors import BurstlabError

_COLUMNS = {"TIMESTAMP": pa.string(), "ContextTokens": pa.int64(), "GeneratedTokens": pa.int64()}


def prepare_azure(source: Path, folder: Path) -> Prepared:
    """Write `timestamps.csv` from the columns TIMESTAMP, ContextTokens and GeneratedTokens.

    Times are text such as `2023-11-16 18:15:46.6805900` (100 ns), or with an offset as in the traces of
    2024. Raises BurstlabError for a malformed file, a time that is none and a file without a usable row.
    """
    sieve = Sieve(read_csv_columns(source, _COLUMNS))
    sieve.drop_nulls("TIMESTAMP", "ContextTokens", "GeneratedTokens")
    sieve.drop("no TIMESTAMP", pc.equal(sieve.table["TIMESTAMP"], ""))
    for column in ("ContextTokens", "GeneratedTokens"):
        sieve.drop(f"{column} negative", pc.less(sieve.table[column], 0))
    sieve.require_rows(source)
    sent, got = (sieve.table[column].to_numpy() for column in ("ContextTokens", "GeneratedTokens"))
    write_timestamps(folder, _seconds(source, sieve.table["TIMESTAMP"]), sent, got)
    return Prepared(
        rows_kept=sieve.table.num_rows,
        rows_dropped=sieve.dropped,
        files=(NAME,),
        lengths=lengths("tokens of the traced models", sent, got),
    )


def _seconds(source: Path, texts: pa.ChunkedArray) -> np.ndarray:
    """Seconds since the earliest of `texts`; a float since 1970 would not hold 100 ns."""
    try:
        times = pd.to_datetime(texts.to_pandas(), format="ISO8601", utc=True).dt.as_unit("ns")
    except (ValueError, OverflowError) as error:
        raise BurstlabError(f"{source}: a TIMESTAMP is no date and time: {error}") from error
    if times.isna().any():  # pandas takes texts such as NaT for a missing time
        wrong = texts.to_pandas()[times.isna()].iloc[0]
        raise BurstlabError(f"{source}: a TIMESTAMP is no date and time: {wrong!r}")
    since_s: np.ndarray = (times - times.min()).to_numpy().astype("int64") / 1e9
    return since_s
