"""The tiny models' tokenizer: byte-level BPE, trained when it is built on text that the project generates.

It reads any text, and each word of `burstlab.models.text` is exactly one token of it, so that the lengths of
generated prompts are known before they are tokenized.
"""

import json
from collections.abc import Iterator

from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers

from burstlab.models.recipes import TOKENIZER
from burstlab.models.text import vocabulary

SPECIAL_TOKENS = {"pad_token": "<pad>", "bos_token": "<bos>", "eos_token": "<eos>", "unk_token": "<unk>"}
"""Special tokens by their role; the ids are 0, 1, 2, 3 in this order."""


def train() -> Tokenizer:
    """Train the tokenizer; the same release of `tokenizers` always gives the same one."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=2 * TOKENIZER["tokens"],  # never reached: training ends when each word is a single token
        min_frequency=1,
        special_tokens=list(SPECIAL_TOKENS.values()),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
    )
    tokenizer.train_from_iterator(_training_lines(), trainer)
    if tokenizer.get_vocab_size() != TOKENIZER["tokens"]:
        raise AssertionError(f"{tokenizer.get_vocab_size()} tokens were learnt, not {TOKENIZER['tokens']}")
    return tokenizer


def _training_lines() -> Iterator[str]:
    """Each word as often as Zipf's law has it, and at least once."""
    for rank, word in enumerate(vocabulary()):
        yield " ".join([word] * (1 + 10_000 // (rank + 3)))


def tokenizer_files(max_length_tokens: int) -> dict[str, str]:
    """`tokenizer.json` and `tokenizer_config.json` as text, as transformers' `AutoTokenizer` reads them."""
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": max_length_tokens,
        "add_prefix_space": True,
        "clean_up_tokenization_spaces": False,
        **SPECIAL_TOKENS,
    }
    return {"tokenizer.json": train().to_str(), "tokenizer_config.json": json.dumps(config, indent=2) + "\n"}
