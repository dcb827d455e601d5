"""Lengths of the requests that vLLM's client would send of a workload, in its order, without text or tokenizer.

From vllm/benchmarks/datasets, release 0.32: `random` draws uniformly from whole numbers, ShareGPT's reader shuffles the
conversations, BurstGPT's samples rows; each seeded with `--seed` alone, so that the lengths are the same whatever the
arrivals, the engine or the machine. A token of a synthetic data set is a word of it. Of random tokens vLLM's client makes a text,
which a tokenizer reads as a token or two more now and then; here prompts have the lengths that were drawn.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa

from burstlab.datasets import burstgpt, synthetic_burstgpt, synthetic_sharegpt
from burstlab.datasets.columns import read_csv_columns
from burstlab.datasets.record import check_recipe
from burstlab.datasets.synthetic import Drawn
from burstlab.datasets.whole import read_whole
from burstlab.errors import BurstlabError
from burstlab.study.schema import RANDOM, Dataset, Workload

_DRAWN = {
    "synthetic-sharegpt": synthetic_sharegpt.drawn_lengths,
    "synthetic-burstgpt": synthetic_burstgpt.drawn_lengths,
}


@dataclass(frozen=True, slots=True)
class SentLengths:
    """Tokens of each request, in the order of sending; int64, shape (requests,) each."""

    prompt_tokens: np.ndarray
    output_tokens: np.ndarray


def sent_lengths(workload: Workload, dataset: Dataset | None, folder: Path | None, seed: int) -> SentLengths:
    """Lengths of the requests of `workload`; `dataset` is what it draws on (None: random).

    `folder` has the prepared data set; what is synthetic needs none. Raises BurstlabError when it is not prepared, has
    texts without lengths, or has fewer rows than requests.
    """
    if workload.dataset == RANDOM or dataset is None:
        return _random(workload, seed)
    rows = _rows(workload.dataset, dataset, folder)
    count = len(rows.input_tokens)
    if count < workload.requests:
        raise BurstlabError(
            f"dataset {workload.dataset} has {count} usable rows, fewer than the {workload.requests} requests of a workload"
        )
    chosen = _shuffled(count, seed) if dataset.synthetic else _sampled(count, workload.requests, seed)
    chosen = chosen[: workload.requests]
    return SentLengths(rows.input_tokens[chosen], rows.output_tokens[chosen])


def _random(workload: Workload, seed: int) -> SentLengths:
    """`get_sampling_params` in datasets/utils.py; special tokens of a tokenizer count as a part of the prompt's length."""
    generator = np.random.default_rng(seed)
    prompts, outputs = (
        _uniform(generator, tokens or 1, workload.range_ratio, workload.requests)
        for tokens in (workload.input_tokens, workload.output_tokens)
    )
    return SentLengths(prompts, outputs)


def _uniform(generator: np.random.Generator, tokens: int, ratio: float, count: int) -> np.ndarray:
    low, high = (math.floor(tokens * (1 - ratio)), math.ceil(tokens * (1 + ratio)))
    return generator.integers(max(low, 1), max(high, 1) + 1, size=count)


def _shuffled(rows: int, seed: int) -> np.ndarray:
    order = list(range(rows))
    random.Random(seed).shuffle(order)  # noqa: S311 - as vLLM's client does
    return np.array(order)


def _sampled(rows: int, requests: int, seed: int) -> np.ndarray:
    return pd.Series(np.arange(rows)).sample(n=requests, random_state=seed).to_numpy()


def _rows(name: str, dataset: Dataset, folder: Path | None) -> Drawn:
    if dataset.synthetic:
        return _drawn(dataset)
    if dataset.source != "burstgpt" or folder is None:
        raise BurstlabError(f"dataset {name} has no lengths in tokens: use its synthetic stand-in")
    check_recipe(read_whole(folder), dataset, folder)
    return _read(folder / burstgpt.DATA)


@lru_cache(maxsize=16)
def _drawn(dataset: Dataset) -> Drawn:
    return _DRAWN[dataset.source](dataset)


@lru_cache(maxsize=4)
def _read(path: Path) -> Drawn:
    columns = {"Request tokens": pa.int64(), "Response tokens": pa.int64()}
    table = read_csv_columns(path, columns)
    prompts, outputs = (table[name].to_numpy() for name in columns)
    return Drawn(input_tokens=prompts, output_tokens=outputs)
