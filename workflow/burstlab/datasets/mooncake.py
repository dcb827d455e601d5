"""Mooncake traces: one JSON object a line, with timestamp in ms, input_length, output_length (Qin et al.,
FAST 2025).
"""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from burstlab.datasets.columns import read_json_lines_columns
from burstlab.datasets.filtering import Sieve
from burstlab.datasets.lengths import Prepared, lengths
from burstlab.datasets.timestamps import NAME, write_timestamps

_FIELDS = {"timestamp": pa.float64(), "input_length": pa.int64(), "output_length": pa.int64()}


def prepare_mooncake(source: Path, folder: Path) -> Prepared:
    """Write `timestamps.csv`; the block hashes, which say what prompts share, are left out.

    Raises BurstlabError for a malformed file and one without a usable row.
    """
    sieve = Sieve(read_json_lines_columns(source, _FIELDS))
    sieve.drop_nulls(*_FIELDS)
    sieve.drop_no_times("timestamp")
    for field in ("input_length", "output_length"):
        sieve.drop(f"{field} negative", pc.less(sieve.table[field], 0))
    sieve.require_rows(source)
    time_ms, sent, got = (sieve.table[field].to_numpy() for field in _FIELDS)
    write_timestamps(folder, time_ms / 1000, sent, got)
    return Prepared(
        rows_kept=sieve.table.num_rows,
        rows_dropped=sieve.dropped,
        files=(NAME,),
        lengths=lengths("tokens of the traced models", sent, got),
    )
