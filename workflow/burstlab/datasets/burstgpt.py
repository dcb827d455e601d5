"""BurstGPT: lengths and arrival times of requests to ChatGPT and GPT-4 (Wang et al., arXiv:2401.17644).

Its files come in two dialects, `Timestamp,Model,Request tokens,…` and, from release 2.0, one with
`Session ID` and `Elapsed time` before `Model`. vLLM's client takes lengths from the third and fourth
column whatever they are called, so columns are read by name here, and written in the places that it
expects.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from burstlab.datasets.columns import read_csv_columns
from burstlab.datasets.filtering import Sieve
from burstlab.datasets.lengths import Prepared, lengths
from burstlab.datasets.streaming import write_csv
from burstlab.datasets.timestamps import NAME as TIMESTAMPS
from burstlab.datasets.timestamps import write_timestamps

DATA = "data.csv"
COLUMNS = {
    "Timestamp": pa.float64(),
    "Model": pa.string(),
    "Request tokens": pa.int64(),
    "Response tokens": pa.int64(),
    "Total tokens": pa.int64(),
    "Log Type": pa.string(),
}
_UNIT = "tokens of the traced models"


def prepare_burstgpt(source: Path, folder: Path, max_total_tokens: int | None = None) -> Prepared:
    """Write `data.csv`, the rows that vLLM's client uses, and `timestamps.csv`, when requests arrived.

    `data.csv` holds the rows of GPT-4 with a response, because vLLM's client drops all others itself: it
    draws the same rows from this file as from the original. `timestamps.csv` holds all requests, of
    either model, those that failed too, because they arrived; only rows of 0 tokens in and out are no
    request. Total tokens are computed anew. `max_total_tokens` drops rows that are longer, prompt plus
    output, from `data.csv` only: vLLM's client would send them, and an engine with a shorter context refuse.

    Raises BurstlabError for a malformed file and one without a usable row.
    """
    sieve = Sieve(read_csv_columns(source, COLUMNS))
    sieve.drop_nulls("Timestamp", "Model", "Request tokens", "Response tokens")
    _drop_impossible(sieve)
    sieve.drop(
        "0 request and 0 response tokens",
        pc.and_(_is(sieve, "Request tokens", 0), _is(sieve, "Response tokens", 0)),
    )
    sieve.require_rows(source)
    _write_arrivals(sieve.table, folder)
    sieve.drop("no response (failed)", _is(sieve, "Response tokens", 0))
    sieve.drop("0 request tokens", _is(sieve, "Request tokens", 0))
    sieve.drop(
        "model is not GPT-4 (vLLM's client uses no other)", pc.not_equal(sieve.table["Model"], "GPT-4")
    )
    if max_total_tokens is not None:
        longer = pc.greater(_totals(sieve.table), max_total_tokens)
        sieve.drop(f"more than {max_total_tokens} tokens together", longer)
    sieve.require_rows(source)
    table = _with_totals(sieve.table)
    write_csv(folder / DATA, table)
    return Prepared(
        rows_kept=table.num_rows,
        rows_dropped=sieve.dropped,
        files=(DATA, TIMESTAMPS),
        lengths=lengths(_UNIT, _numbers(table, "Request tokens"), _numbers(table, "Response tokens")),
    )


def _drop_impossible(sieve: Sieve) -> None:
    sieve.drop_no_times("Timestamp")
    sieve.drop("Timestamp negative", pc.less(sieve.table["Timestamp"], 0))
    for column in ("Request tokens", "Response tokens"):
        sieve.drop(f"{column} negative", pc.less(sieve.table[column], 0))
        sieve.drop(f"{column} above 2^31", pc.greater(sieve.table[column], 2**31))


def _write_arrivals(table: pa.Table, folder: Path) -> None:
    write_timestamps(
        folder,
        _numbers(table, "Timestamp"),
        _numbers(table, "Request tokens"),
        _numbers(table, "Response tokens"),
    )


def _totals(table: pa.Table) -> pa.ChunkedArray:
    return pc.add(table["Request tokens"], table["Response tokens"])


def _with_totals(table: pa.Table) -> pa.Table:
    total = _totals(table)
    place = table.column_names.index("Total tokens")
    kind = pc.fill_null(table["Log Type"], "")
    return table.set_column(place, "Total tokens", total).set_column(place + 1, "Log Type", kind)


def _is(sieve: Sieve, column: str, value: int) -> pa.ChunkedArray:
    return pc.equal(sieve.table[column], value)


def _numbers(table: pa.Table, column: str) -> np.ndarray:
    numbers: np.ndarray = table[column].to_numpy()
    return numbers
