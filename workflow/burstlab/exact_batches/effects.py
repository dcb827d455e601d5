"""What a batch's make-up costs: arms held against each other, repetition by repetition."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pandas as pd

from burstlab.exact_batches.shapes import CHUNK, DECODE, MIXED, PACKED, PADDED, SPLIT
from burstlab.statistics.interval import Interval, exact
from burstlab.statistics.median import median_interval
from burstlab.validity.gates.cores_to_itself import MOST_OF_CORES

# Each a time in units of that of the decodes alone.
TOGETHER = "beside a prompt, in one call"
APART = "beside a prompt, in two calls"
TWICE = "beside a prompt twice, not beside two at once"
OFF_PATH = "padded to two tokens"
_SHAPE = ["decodes", "context_tokens", "chunk_tokens"]
ENGINE = ["platform", "model", "engine", "evidence", "by", "vllm_version", "others_share"]


@dataclass(frozen=True, slots=True)
class Effect:
    """By how much more the decodes of a shape take, as a fraction of what they take alone."""

    keys: dict[str, object]
    part: str
    name: str
    decode_ms: float
    interval: Interval | None

    @property
    def disturbed(self) -> bool:
        """Whether other programs used more of the cores than a cell allows that counts: no claim and no map rests on it."""
        share = self.keys["others_share"]
        return isinstance(share, float) and share > MOST_OF_CORES


def effects(table: pd.DataFrame) -> Iterator[Effect]:
    """Those of each engine, shape and part of the times in the table `exact_batches`.

    Of each repetition (mixed − chunk − decode) / decode: what decodes cost more for sharing a call with a prompt, beyond the
    prompt's own work. Below 0, what is shared, such as reading the weights once, saves more than interference costs. (split −
    chunk − decode) / decode is the same of the same calls one after the other, where nothing is shared: how far it is from 0
    says how far the method is off. (2·mixed − packed − decode) / decode is what a burst spares that brings two prompts at once:
    one iteration with both and one of decodes alone, in place of two with one prompt each. It is what mixing costs, whatever is
    mixed, and the work of prompts is not in it. (padded − decode) / decode is what it costs that kernels for decodes do not take
    them, with a token more each. Medians over repetitions, with intervals of order statistics, for a machine's interruptions make
    outliers; what is simulated is exact.
    """
    timed = table[table["ms"].notna()]
    for keys, some in timed.groupby([*ENGINE, *_SHAPE, "part"], sort=True, dropna=False):
        named = dict(zip([*ENGINE, *_SHAPE, "part"], keys, strict=True))
        part = str(named.pop("part"))
        arms = some.pivot(index="repetition", columns="arm", values="ms")
        if DECODE not in arms or not (arms[DECODE] > 0).all():
            continue
        for name, extra in _extras(arms).items():
            values = (extra / arms[DECODE]).dropna().to_numpy(float)
            known = named["evidence"] == "simulated"
            # Rounded, since whole ps, as costs have them, leave a remainder in ms that is not 0.
            interval = exact(round(float(values[0]), 12)) if known else median_interval(values)
            yield Effect(named, part, name, float(np.median(arms[DECODE])), interval)


def _extras(arms: pd.DataFrame) -> dict[str, pd.Series]:
    """What each comparison finds, in ms, a value a repetition; without those whose arms were not timed."""
    signs = {
        TOGETHER: {MIXED: 1, CHUNK: -1, DECODE: -1},
        APART: {SPLIT: 1, CHUNK: -1, DECODE: -1},
        TWICE: {MIXED: 2, PACKED: -1, DECODE: -1},
        OFF_PATH: {PADDED: 1, DECODE: -1},
    }
    return {
        name: sum((sign * arms[arm] for arm, sign in terms.items()), start=pd.Series(0.0, arms.index))
        for name, terms in signs.items()
        if terms.keys() <= set(arms.columns)
    }
