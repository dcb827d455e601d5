"""What splitting a model over GPUs adds."""

from __future__ import annotations

from burstlab.simulator.costs.roofline.constants import Gpu, constant
from burstlab.simulator.costs.roofline.models import BYTES, Model


def all_reduce_us(gpu: Gpu, model: Model, tokens: int, split: int) -> float:
    """Two sums over all GPUs a layer, of a row a token; by a ring each GPU sends and receives 2·(n−1)/n of it."""
    if split == 1:
        return 0.0
    moved = 2 * (split - 1) / split * BYTES * tokens * model.hidden
    each_us = constant("allreduce.latency") + moved / (constant(f"{gpu.name}.nvlink") * 1e3)
    return 2 * model.layers * each_us
