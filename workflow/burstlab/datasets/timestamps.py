"""`timestamps.csv`: a trace's arrivals, and the lengths of its requests where they are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa

from burstlab.datasets.columns import read_csv_columns
from burstlab.datasets.streaming import write_csv
from burstlab.errors import BurstlabError

NAME = "timestamps.csv"


def write_timestamps(
    folder: Path, arrival_s: np.ndarray, input_tokens: np.ndarray, output_tokens: np.ndarray
) -> None:
    """Write the columns arrival_s (ascending from 0), input_tokens and output_tokens; arrays of shape
    (rows,).

    Rows are put into order of arrival; those of the same instant keep their order. Times are rounded to
    100 ns, the finest resolution of any source, so that subtracting the first leaves no noise.
    """
    order = np.argsort(arrival_s, kind="stable")
    since_s = np.round(arrival_s[order] - arrival_s[order[0]], 7)
    columns = {
        "arrival_s": since_s,
        "input_tokens": input_tokens[order],
        "output_tokens": output_tokens[order],
    }
    write_csv(folder / NAME, pa.table(columns))


def read_timestamps_s(folder: Path) -> np.ndarray:
    """Arrivals in seconds, shape (rows,), of the dataset prepared in `folder`; raises BurstlabError if it
    has none.
    """
    column = read_csv_columns(folder / NAME, {"arrival_s": pa.float64()})["arrival_s"]
    if column.null_count:
        raise BurstlabError(f"{folder / NAME}: {column.null_count} rows have no arrival_s")
    times_s: np.ndarray = column.to_numpy()
    return times_s
