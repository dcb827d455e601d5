"""Pseudo-text: words made of syllables, drawn by Zipf's law.

It trains the tiny models' tokenizer, in which each of its words is exactly one token, and so gives synthetic
datasets prompts of a wanted length.
"""

from functools import cache

import numpy as np

from burstlab.models.recipes import TOKENIZER

WORDS: int = TOKENIZER["words"]
_ONSETS = "bdfghjklmnprstvz"
_NUCLEI = "aeiou"
_SYLLABLES = tuple(onset + nucleus for onset in _ONSETS for nucleus in _NUCLEI)
_ONE_SYLLABLE = 40
_TWO_SYLLABLES = 1000
_STRIDE = 2741  # a prime that shares no factor with a power of 80, so multiples of it repeat no word


@cache
def vocabulary() -> tuple[str, ...]:
    """The words, all different, the most frequent first. Frequent ones are short, as in natural languages."""
    return tuple(_word(rank) for rank in range(WORDS))


def _word(rank: int) -> str:
    length = 1 if rank < _ONE_SYLLABLE else 2 if rank < _TWO_SYLLABLES else 3
    base = len(_SYLLABLES)
    number = rank * _STRIDE % base**length
    return "".join(_SYLLABLES[number // base**place % base] for place in range(length))


@cache
def _cumulative_probability() -> np.ndarray:
    weight = 1.0 / (np.arange(WORDS) + 2.7)  # Zipf-Mandelbrot with exponent 1: Mandelbrot 1953
    return np.cumsum(weight / weight.sum())


def text(rng: np.random.Generator, words: int) -> str:
    """`words` words with single spaces between them: exactly as many tokens of the tiny models' tokenizer."""
    ranks = np.searchsorted(_cumulative_probability(), rng.random(words), side="right")
    known = vocabulary()
    return " ".join(known[min(rank, WORDS - 1)] for rank in ranks)
