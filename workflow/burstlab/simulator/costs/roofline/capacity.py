"""How many tokens' keys and values fit beside the weights."""

from __future__ import annotations

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.roofline.constants import constant
from burstlab.simulator.costs.roofline.models import BYTES, Model

_GIB = 2**30


def kv_tokens(model: Model, gpu: str, tensor_parallel: int = 1, sequences: int = 0) -> int:
    """Tokens that all GPUs together hold, with room for the states of `sequences` sequences; BurstlabError if none fit.

    vLLM takes a share of the memory, with weights and a workspace in it. Compressed keys and values are on every GPU, others
    are split.
    """
    share = constant("memory.share") * constant(f"{gpu}.memory") * _GIB
    weights = BYTES * model.parameters / tensor_parallel
    states = sequences * model.gdn_layers * model.gdn_state_bytes / tensor_parallel
    free = share - weights - states - constant("memory.workspace") * _GIB
    if free <= 0:
        kept = f" and {states / _GIB:.0f} GiB of states of {sequences} sequences" if states else ""
        raise BurstlabError(
            f"{model.name} has {weights / _GIB:.0f} GiB of weights{kept} a GPU, which {tensor_parallel} x {gpu} do not hold"
        )
    return int(free / (model.kv_bytes / (1 if model.latent else tensor_parallel)))
