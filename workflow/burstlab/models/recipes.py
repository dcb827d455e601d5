"""What the tiny models are. Their weights are random, made by the engine itself at its start."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from burstlab.errors import BurstlabError

MAX_POSITIONS = 4096

TOKENIZER: Mapping[str, Any] = {"kind": "byte-level BPE of generated words", "words": 2350, "tokens": 4096}
"""The tokens are 4 special ones, 256 bytes, and the merges that the words need; checked after training."""

_COMMON: Mapping[str, Any] = {
    "vocab_size": TOKENIZER["tokens"],
    "max_position_embeddings": MAX_POSITIONS,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "tie_word_embeddings": False,
    "rms_norm_eps": 1e-6,
}

# Grouped-query attention, four query heads a KV head, as in Llama 3. float32, since bfloat16 is 4-5 times
# slower on processors that have AVX2 only.
_TINY_GQA: Mapping[str, Any] = {
    **_COMMON,
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "dtype": "float32",
    "hidden_size": 512,
    "intermediate_size": 1408,
    "num_hidden_layers": 6,
    "num_attention_heads": 8,
    "num_key_value_heads": 2,
    "head_dim": 64,
    "hidden_act": "silu",
    "rope_theta": 10000.0,
}

# Gated DeltaNet hybrid: three linear layers to one of full attention, as in Qwen3.5. vLLM's linear kernel for CPUs takes bfloat16
# only, and its Qwen3-Next wants at least one layer of experts.
_TINY_GDN: Mapping[str, Any] = {
    **_COMMON,
    "architectures": ["Qwen3NextForCausalLM"],
    "model_type": "qwen3_next",
    "dtype": "bfloat16",
    "hidden_size": 256,
    "intermediate_size": 512,
    "num_hidden_layers": 8,
    "layer_types": ["linear_attention", "linear_attention", "linear_attention", "full_attention"] * 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 1,
    "head_dim": 64,
    "hidden_act": "silu",
    "partial_rotary_factor": 0.25,
    "rope_theta": 10000.0,
    "linear_num_key_heads": 4,
    "linear_num_value_heads": 4,
    "linear_key_head_dim": 64,
    "linear_value_head_dim": 64,
    "linear_conv_kernel_dim": 4,
    "mlp_only_layers": [0, 1, 2, 3, 4, 5, 6],
    "decoder_sparse_step": 1,
    "num_experts": 4,
    "num_experts_per_tok": 2,
    "moe_intermediate_size": 128,
    "shared_expert_intermediate_size": 128,
    "norm_topk_prob": True,
}

RECIPES: Mapping[str, Mapping[str, Any]] = {
    name: {"config": config, "tokenizer": TOKENIZER, "weights": "dummy"}
    for name, config in {"tiny-gqa": _TINY_GQA, "tiny-gdn": _TINY_GDN}.items()
}
"""By name: `config` is the model's config.json, `weights` the engine's --load-format."""


def recipe(name: str) -> Mapping[str, Any]:
    """The recipe `name`. Raises BurstlabError when there is none."""
    if name not in RECIPES:
        raise BurstlabError(f"build: {name}: no such model; those that can be built are {', '.join(RECIPES)}")
    return RECIPES[name]


def recipe_sha256(name: str) -> str:
    """SHA-256, in hexadecimal, of the recipe `name`. Raises BurstlabError when there is none."""
    return hashlib.sha256(json.dumps(recipe(name), sort_keys=True).encode()).hexdigest()
