"""Matrix products, and what else depends on the number of tokens alone."""

from __future__ import annotations

from burstlab.simulator.costs.roofline.constants import Gpu
from burstlab.simulator.costs.roofline.models import BYTES, Model


def product_us(gpu: Gpu, parameters: float, tokens: int) -> float:
    """Multiply `tokens` rows with a matrix: it is read once, and there are two operations a parameter and row.

    Rows are read and written too, but in the same pass and hundreds of times fewer bytes.
    """
    return max(BYTES * parameters / gpu.bytes_us, 2 * parameters * tokens / gpu.gemm_flop_us)


def rows_us(gpu: Gpu, model: Model, tokens: int) -> float:
    """Norms, rotation and activation of one layer: they read and write rows of the hidden and the inner size."""
    inner = model.ffn if not model.moe_layers else model.experts_per_token * model.expert_ffn
    return BYTES * tokens * (8 * model.hidden + 3 * inner) / gpu.bytes_us


def products_us(gpu: Gpu, model: Model, tokens: int, sampled: int, split: int) -> float:
    """Products with dense matrices of all layers, and the vocabulary's for `sampled` rows, on one of `split` GPUs."""
    up, down = 2 * model.hidden * model.ffn, model.hidden * model.ffn
    layer_us = product_us(gpu, up / split, tokens) + product_us(gpu, down / split, tokens)
    return (
        model.attention_layers * product_us(gpu, model.attention_parameters / split, tokens)
        + model.gdn_layers * product_us(gpu, model.gdn_parameters / split, tokens)
        + model.dense_layers * layer_us
        + product_us(gpu, model.vocabulary * model.hidden / split, sampled)
    )


def experts_us(gpu: Gpu, model: Model, tokens: int, split: int) -> float:
    """One layer of experts: those that any token was sent to are read, where each token picks its own at random."""
    if not model.moe_layers:
        return 0.0
    untouched = (1 - model.experts_per_token / model.experts) ** tokens
    read = (model.experts * (1 - untouched) + model.shared_experts) * model.expert_parameters / split
    active = (model.experts_per_token + model.shared_experts) * model.expert_parameters / split
    return max(BYTES * read / gpu.bytes_us, 2 * active * tokens / gpu.gemm_flop_us)
