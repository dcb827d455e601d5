"""Writing synthetic conversations: pseudo-text of drawn lengths, the same bytes for the same recipe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from burstlab.datasets.lengths import Prepared, lengths
from burstlab.datasets.lognormal import LogNormal
from burstlab.datasets.sharegpt import DATA, conversation
from burstlab.datasets.streaming import write_json_array
from burstlab.models.text import text
from burstlab.study.schema import Dataset

UNIT = "words, each of which is one token of the tiny models' tokenizer"


@dataclass(frozen=True, slots=True)
class Drawn:
    """Lengths in tokens of each conversation, integers of shape (rows,)."""

    input_tokens: np.ndarray
    output_tokens: np.ndarray


def draw_lengths(recipe: Dataset, prompts: LogNormal, outputs: LogNormal) -> Drawn:
    """Lengths as the recipe's rows, seed, scale and limits ask; prompts and outputs are independent."""
    of_prompts, of_outputs = _generators(recipe)[:2]
    return Drawn(
        input_tokens=prompts.draw(of_prompts, recipe.rows, recipe.length_scale, recipe.max_prompt_tokens),
        output_tokens=outputs.draw(of_outputs, recipe.rows, recipe.length_scale, recipe.max_output_tokens),
    )


def write_conversations(recipe: Dataset, drawn: Drawn, folder: Path) -> Prepared:
    """Write `data.json` with one conversation for each pair of lengths."""
    write_json_array(folder / DATA, _conversations(recipe, drawn))
    return Prepared(
        rows_kept=len(drawn.input_tokens),
        files=(DATA,),
        lengths=lengths(UNIT, drawn.input_tokens, drawn.output_tokens),
    )


def generator_of_times(recipe: Dataset) -> np.random.Generator:
    """The generator for arrival times, independent of those for lengths and text."""
    return _generators(recipe)[3]


def _conversations(recipe: Dataset, drawn: Drawn) -> Iterator[dict[str, object]]:
    of_text = _generators(recipe)[2]
    pairs = zip(drawn.input_tokens.tolist(), drawn.output_tokens.tolist(), strict=True)
    for number, (input_tokens, output_tokens) in enumerate(pairs):
        yield conversation(f"synthetic-{number}", text(of_text, input_tokens), text(of_text, output_tokens))


def _generators(recipe: Dataset) -> list[np.random.Generator]:
    # One stream a purpose: asking for more rows then keeps those that were there.
    return np.random.default_rng(recipe.seed).spawn(4)
