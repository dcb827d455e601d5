"""A synthetic stand-in for BurstGPT, for machines without internet: lengths like its GPT-4 rows, and
pseudo-text.

It is written in ShareGPT's form, as text, and read by vLLM's ShareGPT reader. Its BurstGPT reader makes
up prompts from runs of token ids, special ones included, which a real tokenizer splits otherwise than
counted.

Prompts and outputs are lognormal and independent of each other. What is published and used:

- Lengths: the eight GPT-4 rows with a response among the first 47 rows of BurstGPT_1.csv that the dataset
card shows (lzzmm/BurstGPT on the Hugging Face hub, CC-BY-4.0; Wang et al., arXiv:2401.17644): prompts of
417, 586, 969, 1574, 1327, 92, 1840 and 1741 tokens, outputs of 276, 293, 206, 501, 239, 95, 378 and 428.
The medians below are their geometric means, log_sd is the standard deviation of their logarithms (n-1).
Eight rows give the order of magnitude and no tail. The longest are the largest values of the same file on
that card, 31,400 and 12,500.
- Times: 1,429,700 rows in 61 days (README of HPMLL/BurstGPT), a mean gap of 3.69 s, and whole seconds as
there. That gaps are gamma distributed is the paper's model; its shape varies over the day there, and is
0.5 here, an assumption.

vLLM's client keeps prompts up to 1024 tokens, which cuts this distribution at its middle unless
`length_scale` is small.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from burstlab.datasets.lengths import Prepared
from burstlab.datasets.lognormal import LogNormal
from burstlab.datasets.synthetic import Drawn, draw_lengths, generator_of_times, write_conversations
from burstlab.datasets.timestamps import NAME, write_timestamps
from burstlab.study.schema import Dataset

PROMPTS = LogNormal(median_tokens=786.06, log_sd=1.01742, longest_tokens=31_400)
OUTPUTS = LogNormal(median_tokens=272.78, log_sd=0.52004, longest_tokens=12_500)
MEAN_GAP_S = 61 * 86_400 / 1_429_700
SHAPE = 0.5


def make_synthetic_burstgpt(recipe: Dataset, folder: Path) -> Prepared:
    """Write `data.json` and `timestamps.csv` as the recipe asks; `length_scale` scales lengths and no
    times.
    """
    drawn = drawn_lengths(recipe)
    write_timestamps(folder, drawn_times_s(recipe), drawn.input_tokens, drawn.output_tokens)
    prepared = write_conversations(recipe, drawn, folder)
    return Prepared(prepared.rows_kept, (*prepared.files, NAME), prepared.lengths)


def drawn_lengths(recipe: Dataset) -> Drawn:
    """The lengths of its conversations."""
    return draw_lengths(recipe, PROMPTS, OUTPUTS)


def drawn_times_s(recipe: Dataset) -> np.ndarray:
    """When its requests arrive, in seconds, ascending, shape (rows,)."""
    gaps_s = generator_of_times(recipe).gamma(SHAPE, MEAN_GAP_S / SHAPE, recipe.rows)
    times_s: np.ndarray = np.floor(np.cumsum(gaps_s))
    return times_s
