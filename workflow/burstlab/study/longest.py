"""The longest request that a workload may send: what a model's context must hold."""

from __future__ import annotations

import math
from dataclasses import dataclass

from burstlab.study.schema import RANDOM, Dataset, Engine, Model, Study, Workload

# What vLLM's ShareGPT reader keeps: prompts up to 1024 tokens, prompt plus output up to 2048 (`is_valid_sequence` in
# vllm/benchmarks/datasets/datasets.py, release 0.32).
SHAREGPT_PROMPT_TOKENS = 1024
SHAREGPT_TOTAL_TOKENS = 2048


@dataclass(frozen=True, slots=True)
class Longest:
    """Prompt plus output of the longest request in tokens, infinite where nothing limits it, and why."""

    tokens: float
    because: str = ""


def longest(workload: Workload, study: Study, model: Model) -> Longest:
    """The longest request of `workload` as `model` counts tokens."""
    if workload.dataset == RANDOM:
        stretch = 1 + workload.range_ratio
        lengths = (workload.input_tokens or 0, workload.output_tokens or 0)
        return Longest(sum(math.floor(tokens * stretch) for tokens in lengths))
    dataset = study.datasets[workload.dataset]
    if dataset.source == "burstgpt":
        return _of_burstgpt(workload.dataset, dataset)
    if dataset.synthetic and model.build is not None:
        parts = (dataset.max_prompt_tokens, dataset.max_output_tokens)
        return Longest(sum(min(tokens, SHAREGPT_PROMPT_TOKENS) for tokens in parts))
    # A word of a stand-in is one token of the tiny models' tokenizer only.
    return Longest(SHAREGPT_TOTAL_TOKENS, ", the most that vLLM's client sends of such a dataset")


def _of_burstgpt(name: str, dataset: Dataset) -> Longest:
    if dataset.max_total_tokens is not None:
        return Longest(dataset.max_total_tokens, f" (datasets.{name}.max_total_tokens)")
    why = f": vLLM's client sends any row of a burstgpt dataset; set datasets.{name}.max_total_tokens"
    return Longest(math.inf, why)


def context_tokens(engine: Engine, model: Model) -> tuple[int, str] | None:
    """The longest prompt plus output that `engine` takes of `model`, and what says so; None: the configuration does not."""
    if engine.max_model_len is not None:
        return engine.max_model_len, f"max_model_len: {engine.max_model_len}"
    if model.build is not None:
        from burstlab.models.recipes import MAX_POSITIONS  # only now: it is not cheap to import

        return MAX_POSITIONS, f"no max_model_len, and {model.build} has {MAX_POSITIONS} positions"
    return None
