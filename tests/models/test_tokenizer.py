import hashlib
import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from burstlab.models.text import text, vocabulary
from burstlab.models.tokenizer import tokenizer_files, train


@pytest.fixture(scope="module")
def tokenizer() -> Tokenizer:
    return train()


def test_each_word_is_one_token(tokenizer: Tokenizer) -> None:
    assert {len(tokenizer.encode(word).ids) for word in vocabulary()} == {1}


@settings(max_examples=50)
@given(words=st.integers(1, 400), seed=st.integers(0, 2**32))
def test_a_text_has_as_many_tokens_as_words(tokenizer: Tokenizer, words: int, seed: int) -> None:
    assert len(tokenizer.encode(text(np.random.default_rng(seed), words)).ids) == words


@given(st.lists(st.sampled_from(vocabulary()), min_size=1))
def test_tokens_of_words_survive_being_written_and_read(tokenizer: Tokenizer, words: list[str]) -> None:
    """vLLM's random dataset writes tokens out and reads them back, and keeps only what stays the same."""
    tokens = tokenizer.encode(" ".join(words)).ids
    assert tokenizer.encode(tokenizer.decode(tokens)).ids == tokens


@given(st.text())
def test_it_reads_any_text(tokenizer: Tokenizer, anything: str) -> None:
    tokens = tokenizer.encode(anything, add_special_tokens=False).ids
    assert tokenizer.decode(tokens, skip_special_tokens=False).removeprefix(" ") == anything.removeprefix(" ")


def test_the_special_tokens_come_first_and_the_vocabulary_is_that_of_the_models(tokenizer: Tokenizer) -> None:
    assert [tokenizer.id_to_token(number) for number in range(4)] == ["<pad>", "<bos>", "<eos>", "<unk>"]
    assert tokenizer.get_vocab_size() == 4096


def test_another_process_trains_the_same_bytes() -> None:
    """Sets have another order in each process, and training runs in threads."""
    code = (
        "import hashlib, burstlab.models.tokenizer as t;"
        "print(hashlib.sha256(t.tokenizer_files(9)['tokenizer.json'].encode()).hexdigest())"
    )
    other = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert hashlib.sha256(tokenizer_files(9)["tokenizer.json"].encode()).hexdigest() == other.strip()


def test_its_configuration_names_the_special_tokens_and_the_longest_input() -> None:
    config = json.loads(tokenizer_files(4096)["tokenizer_config.json"])
    assert (config["eos_token"], config["pad_token"], config["model_max_length"]) == ("<eos>", "<pad>", 4096)
