"""Costs from the tables that Vidur profiles (microsoft/vidur, data/profiling): mlp.csv and attention.csv, times in ms.

A layer's time is that of its operators at the number of tokens, of attention over the decodes, and of attention over the prompts.
The last two are *added*: the tables have no mixed batches, so what a prompt does to the decodes beside it cannot show.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from burstlab.errors import BurstlabError
from burstlab.simulator.clock import PS_PER_MS
from burstlab.simulator.costs.interface import Line
from burstlab.simulator.costs.tables.curve import Curve, Surface

if TYPE_CHECKING:
    import pandas as pd

_OPERATORS = (
    "input_layernorm", "attn_pre_proj", "attn_rope", "attn_post_proj", "post_attention_layernorm",
    "mlp_up_proj", "mlp_act", "mlp_down_proj", "add",
)  # fmt: skip


class VidurTables:
    """Costs of a model of `layers` layers.

    Decodes are looked up by their number and their mean context; prompts, as Vidur does, as one of √Σn² tokens after the sum of
    what was computed before.
    """

    def __init__(self, operators: Curve, decodes: Surface, prompts: Surface, layers: int) -> None:
        self._operators, self._decodes, self._prompts, self._layers = operators, decodes, prompts, layers

    def decode(self, decodes: int, context_tokens: int) -> Line:
        """One iteration: the mean context is another in the next one, and the table is straight only between its points."""
        return Line(self.mixed(decodes, context_tokens, ()), 0, 1)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        """Operators of all tokens, attention of decodes and attention of prompts."""
        layer_ms = self._operators.at(decodes + sum(now for now, _ in chunks))
        if decodes:
            layer_ms += self._decodes.at(context_tokens / decodes, decodes)
        if chunks:
            size = math.sqrt(sum(now * now for now, _ in chunks))
            layer_ms += self._prompts.at(size, sum(before for _, before in chunks))
        return round(self._layers * layer_ms * PS_PER_MS)


def read_vidur(mlp: Path, attention: Path, layers: int, tensor_parallel: int = 1) -> VidurTables:
    """Read the two tables for a number of GPUs; BurstlabError if a column is missing or nothing is left."""
    operators = _read(
        mlp, ["num_tokens", *(f"time_stats.{name}.median" for name in _OPERATORS)], tensor_parallel
    )
    names = ["batch_size", "prefill_chunk_size", "kv_cache_size", "is_prefill"]
    times = ["time_stats.attn_decode.median", "time_stats.attn_prefill.median"]
    rows = _read(attention, [*names, *times], tensor_parallel)
    prefill = rows["is_prefill"].astype(str).str.lower() == "true"
    return VidurTables(
        _curve(operators["num_tokens"], operators.drop(columns="num_tokens").sum(axis=1)),
        _surface(attention, rows[~prefill], "kv_cache_size", "batch_size", times[0]),
        _surface(attention, rows[prefill], "prefill_chunk_size", "kv_cache_size", times[1]),
        layers,
    )


def _read(path: Path, columns: list[str], tensor_parallel: int) -> pd.DataFrame:
    import pandas as pd

    try:
        table = pd.read_csv(path)
    except (OSError, ValueError) as error:
        raise BurstlabError(f"{path}: cannot be read as CSV: {error}") from error
    missing = [name for name in [*columns, "num_tensor_parallel_workers"] if name not in table.columns]
    if missing:
        raise BurstlabError(f"{path}: column {missing[0]} is missing; is it a table that Vidur profiled?")
    chosen = table[table["num_tensor_parallel_workers"] == tensor_parallel]
    if chosen.empty:
        raise BurstlabError(f"{path}: has no rows of num_tensor_parallel_workers {tensor_parallel}")
    return chosen[columns]


def _curve(sizes: pd.Series, durations_ms: pd.Series) -> Curve:
    once = durations_ms.groupby(sizes).median()
    return Curve(once.index.to_numpy(), once.to_numpy())


def _surface(path: Path, rows: pd.DataFrame, size: str, level: str, duration: str) -> Surface:
    """Levels of which only one size was profiled tell no slope and are left out."""
    groups = {float(value): rows[rows[level] == value] for value in rows[level].unique().tolist()}
    curves = {
        value: _curve(group[size], group[duration])
        for value, group in groups.items()
        if group[size].nunique() > 1
    }
    if not curves:
        raise BurstlabError(f"{path}: has no {duration} for two values of {size} or more")
    return Surface(curves)
