"""Where the lengths of requests come from: fixed, drawn from a distribution, or taken from a file."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from burstlab.datasets import synthetic_burstgpt, synthetic_sharegpt
from burstlab.datasets.lognormal import LONGEST_TOKENS, LogNormal
from burstlab.errors import BurstlabError

Pair = tuple[np.ndarray, np.ndarray]

KNOWN = (
    "PROMPT/OUTPUT in tokens, such as 512/256; MEDIAN~LOG_SD/MEDIAN~LOG_SD for lognormal ones, such as 800~1.0/270~0.5; "
    "synthetic-sharegpt; synthetic-burstgpt; or a CSV or Parquet file with a row a request"
)
COLUMNS = (
    ("prompt_tokens", "output_tokens"),
    ("ContextTokens", "GeneratedTokens"),
    ("Request tokens", "Response tokens"),
    ("input_length", "output_length"),
)
"""Pairs of columns that a file may have: burstlab's own, those of the Azure traces, of BurstGPT, of Mooncake."""

_SYNTHETIC = {"synthetic-sharegpt": synthetic_sharegpt, "synthetic-burstgpt": synthetic_burstgpt}
_MOST_TOKENS = 32_768
_MOST_GIVEN = 10**8


@dataclass(frozen=True)
class Lengths:
    """`draw(requests, seed)` gives prompts and outputs in tokens, int64, shape (requests,) each; `words` say what they are."""

    words: str
    draw: Callable[[int, int], Pair]


def lengths(text: str) -> Lengths:
    """What `text` asks for (see `KNOWN`); BurstlabError if it is nothing of that."""
    fixed = re.fullmatch(r"(\d+)/(\d+)", text)
    if fixed:
        return _fixed(text, int(fixed[1]), int(fixed[2]))
    number = r"(\d+(?:\.\d+)?)"
    drawn = re.fullmatch(rf"{number}~{number}/{number}~{number}", text)
    if drawn:
        return _lognormal(*(float(part) for part in drawn.groups()))
    if text in _SYNTHETIC:
        module = _SYNTHETIC[text]
        return _synthetic(text, module.PROMPTS, module.OUTPUTS)
    if Path(text).is_file():
        return of_rows(f"lengths drawn from the rows of {text}", *read_lengths(Path(text)))
    raise BurstlabError(f"--lengths {text}: neither a file nor a known form. There are: {KNOWN}")


def of_rows(words: str, prompt_tokens: np.ndarray, output_tokens: np.ndarray) -> Lengths:
    """Rows drawn with replacement, prompt and output together."""

    def draw(requests: int, seed: int) -> Pair:
        rows = np.random.default_rng(seed).integers(0, len(prompt_tokens), requests)
        return prompt_tokens[rows], output_tokens[rows]

    return Lengths(f"{words} ({len(prompt_tokens):,})", draw)


def read_lengths(path: Path) -> Pair:
    """Prompts and outputs of a CSV or Parquet file; rows with 0 or nothing (failed requests) are left out.

    Raises BurstlabError for a file without one of `COLUMNS`, without rows, or with anything but whole numbers.
    """
    import pandas as pd

    try:
        frame = pd.read_parquet(path) if path.suffix == ".parquet" else pd.read_csv(path)
    except Exception as error:  # whatever a broken file raises in either reader
        form = "Parquet" if path.suffix == ".parquet" else "CSV"
        raise BurstlabError(f"{path}: cannot be read as {form}: {str(error).strip()}") from error
    pair = next((names for names in COLUMNS if set(names) <= set(frame.columns)), None)
    if pair is None:
        pairs = "; ".join(" and ".join(names) for names in COLUMNS)
        raise BurstlabError(
            f"{path}: has no columns of lengths: {pairs}. It has: {', '.join(map(str, frame.columns))[:300]}"
        )
    given = frame[list(pair)].dropna()
    numbers = given.apply(pd.to_numeric, errors="coerce")
    right = (numbers >= 0) & (numbers <= _MOST_GIVEN) & (numbers % 1 == 0)
    wrong = ~right.all(axis=1)
    if wrong.any():
        raise BurstlabError(
            f"{path}: row {int(wrong.idxmax()) + 1}: {pair[0]} and {pair[1]} must be whole numbers of tokens"
        )
    rows = numbers[(numbers > 0).all(axis=1)].to_numpy(np.int64)
    if not len(rows):
        raise BurstlabError(f"{path}: no row has a prompt and an output of at least 1 token")
    return rows[:, 0], rows[:, 1]


def _fixed(text: str, prompt: int, output: int) -> Lengths:
    if not (prompt and output):
        raise BurstlabError(f"--lengths {text}: prompt and output must have at least 1 token")
    words = f"prompts of {prompt:,} and outputs of {output:,} tokens"
    return Lengths(words, lambda requests, _: (np.full(requests, prompt), np.full(requests, output)))


def _lognormal(prompt_median: float, prompt_sd: float, output_median: float, output_sd: float) -> Lengths:
    def tokens(generator: np.random.Generator, requests: int, median: float, log_sd: float) -> np.ndarray:
        drawn = median * np.exp(log_sd * generator.standard_normal(requests))
        return np.clip(np.rint(drawn), 1, _MOST_TOKENS).astype(np.int64)

    def draw(requests: int, seed: int) -> Pair:
        of_prompts, of_outputs = np.random.default_rng(seed).spawn(2)
        return (
            tokens(of_prompts, requests, prompt_median, prompt_sd),
            tokens(of_outputs, requests, output_median, output_sd),
        )

    words = (
        f"lognormal lengths: prompts of median {prompt_median:g} and log s.d. {prompt_sd:g}, outputs {output_median:g} and "
        f"{output_sd:g}, 1 to {_MOST_TOKENS:,} tokens"
    )
    return Lengths(words, draw)


def _synthetic(name: str, prompts: LogNormal, outputs: LogNormal) -> Lengths:
    def draw(requests: int, seed: int) -> Pair:
        of_prompts, of_outputs = np.random.default_rng(seed).spawn(2)
        return (
            prompts.draw(of_prompts, requests, 1.0, LONGEST_TOKENS),
            outputs.draw(of_outputs, requests, 1.0, LONGEST_TOKENS),
        )

    return Lengths(
        f"lengths of {name}, a stand-in, up to {LONGEST_TOKENS:,} tokens as vLLM's client keeps them", draw
    )
