"""A synthetic stand-in for ShareGPT, for machines without internet: pseudo-text whose lengths follow
statistics.

Prompts and outputs are lognormal and independent of each other. What is published and used:

- Means: 161.31 tokens of input and 337.99 of output. Kwon et al., "Efficient Memory Management for Large
Language Model Serving with PagedAttention", SOSP 2023, Figure 11 (a).
- Spread: the ratio of the 90th percentile to the median, 5696/1730 for prompts and 834/415 for outputs of
openchat_sharegpt4. Agrawal et al., "Taming Throughput-Latency Tradeoff in LLM Inference with
Sarathi-Serve", OSDI 2024, Table 2. Its prompts hold the history of their conversation, so the spread of
single prompts is an assumption.

For a lognormal, log_sd = log(P90/median)/1.28155, and the medians below are those with which the
distribution, truncated to the 4 to 1024 tokens that vLLM's client keeps, has the published means.

What it does not have: ShareGPT's text and hence its routing of experts or its speculative acceptance, the
correlation of prompt and output, the peak of outputs at their limit.
"""

from __future__ import annotations

from pathlib import Path

from burstlab.datasets.lengths import Prepared
from burstlab.datasets.lognormal import LONGEST_TOKENS, LogNormal
from burstlab.datasets.synthetic import Drawn, draw_lengths, write_conversations
from burstlab.study.schema import Dataset

PROMPTS = LogNormal(median_tokens=112.0026, log_sd=0.929844, longest_tokens=LONGEST_TOKENS)
OUTPUTS = LogNormal(median_tokens=301.1669, log_sd=0.544617, longest_tokens=LONGEST_TOKENS)


def make_synthetic_sharegpt(recipe: Dataset, folder: Path) -> Prepared:
    """Write `data.json` as the recipe asks. `length_scale` scales the lengths, for engines that are
    small.
    """
    return write_conversations(recipe, drawn_lengths(recipe), folder)


def drawn_lengths(recipe: Dataset) -> Drawn:
    """The lengths of its conversations."""
    return draw_lengths(recipe, PROMPTS, OUTPUTS)
