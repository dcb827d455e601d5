"""Lengths of requests as vLLM's client would send them, without text; test_with_vllm.py compares them with its own."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.datasets.sent import sent_lengths
from burstlab.datasets.synthetic_sharegpt import drawn_lengths
from burstlab.errors import BurstlabError
from burstlab.study.schema import Dataset, Workload

TALK = Dataset(source="synthetic-sharegpt", rows=30)


def random_workload(ratio: float = 0.0, requests: int = 50) -> Workload:
    return Workload(
        dataset="random", requests=requests, input_tokens=100, output_tokens=10, range_ratio=ratio
    )


def test_without_a_range_all_are_alike() -> None:
    sent = sent_lengths(random_workload(), None, None, seed=3)
    assert set(sent.prompt_tokens.tolist()) == {100}
    assert set(sent.output_tokens.tolist()) == {10}


@given(st.integers(0, 1000), st.floats(0.01, 0.99))
def test_lengths_stay_in_their_range_and_are_a_seeds(seed: int, ratio: float) -> None:
    sent = sent_lengths(random_workload(ratio), None, None, seed)
    assert sent.prompt_tokens.min() >= max(1, np.floor(100 * (1 - ratio)))
    assert sent.prompt_tokens.max() <= np.ceil(100 * (1 + ratio))
    assert sent.output_tokens.min() >= 1
    again = sent_lengths(random_workload(ratio), None, None, seed)
    assert np.array_equal(sent.prompt_tokens, again.prompt_tokens)


def test_conversations_are_sent_once_each_in_an_order_of_the_seed() -> None:
    workload = Workload(dataset="talk", requests=30)
    drawn = drawn_lengths(TALK)
    pairs = sorted(zip(drawn.input_tokens.tolist(), drawn.output_tokens.tolist(), strict=True))
    orders = []
    for seed in (0, 1):
        sent = sent_lengths(workload, TALK, None, seed)
        orders.append(list(zip(sent.prompt_tokens.tolist(), sent.output_tokens.tolist(), strict=True)))
        assert sorted(orders[-1]) == pairs
    assert orders[0] != orders[1]


def test_fewer_requests_are_the_first_of_more() -> None:
    few, many = (
        sent_lengths(Workload(dataset="talk", requests=requests), TALK, None, seed=5) for requests in (10, 30)
    )
    assert few.prompt_tokens.tolist() == many.prompt_tokens[:10].tolist()


def test_more_requests_than_rows_are_refused() -> None:
    with pytest.raises(BurstlabError, match="dataset talk has 30 usable rows, fewer than the 31 requests"):
        sent_lengths(Workload(dataset="talk", requests=31), TALK, None, seed=0)


def test_texts_without_a_tokenizer_are_refused() -> None:
    real = Dataset(source="sharegpt", path="talk.json")
    with pytest.raises(BurstlabError, match="has no lengths in tokens"):
        sent_lengths(Workload(dataset="talk", requests=3), real, None, seed=0)
