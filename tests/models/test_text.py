from collections import Counter

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from burstlab.models.text import text, vocabulary


def test_no_two_words_are_the_same() -> None:
    assert len(set(vocabulary())) == len(vocabulary()) == 2350


def test_frequent_words_are_shorter() -> None:
    lengths = [len(word) for word in vocabulary()]
    assert lengths == sorted(lengths)
    assert (lengths[0], lengths[-1]) == (2, 6)


def test_frequencies_fall_as_zipf_says() -> None:
    """Counted from 0 and with shift 2.7, rank 1 is 12.7 / 3.7 = 3.4 times as frequent as rank 10."""
    counts = Counter(text(np.random.default_rng(1), 200_000).split())
    ratio = counts[vocabulary()[1]] / counts[vocabulary()[10]]
    assert 3.1 < ratio < 3.8


@settings(max_examples=30)
@given(words=st.integers(0, 500), seed=st.integers(0, 2**32))
def test_it_has_so_many_words_and_the_same_seed_says_the_same(words: int, seed: int) -> None:
    said = text(np.random.default_rng(seed), words)
    assert len(said.split()) == words
    assert set(said.split()) <= set(vocabulary())
    assert text(np.random.default_rng(seed), words) == said
