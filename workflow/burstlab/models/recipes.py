"""What the tiny models are: architecture and sizes. Their weights are random, made by vLLM's `--load-format dummy`."""

from collections.abc import Mapping
from typing import Any

from burstlab.models.tokenizer import VOCABULARY_SIZE

MAX_POSITIONS = 4096

_COMMON: Mapping[str, Any] = {
    "vocab_size": VOCABULARY_SIZE,
    "max_position_embeddings": MAX_POSITIONS,
    "pad_token_id": 0,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "tie_word_embeddings": False,
    "rms_norm_eps": 1e-6,
}

RECIPES: Mapping[str, Mapping[str, Any]] = {
    # Grouped-query attention, four query heads a KV head, as in Llama 3. float32, since bfloat16 is 4-5 times slower
    # on processors with AVX2 only.
    "tiny-gqa": {
        **_COMMON,
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "dtype": "float32",
        "hidden_size": 256,
        "intermediate_size": 512,
        "num_hidden_layers": 4,
        "num_attention_heads": 8,
        "num_key_value_heads": 2,
        "head_dim": 32,
        "hidden_act": "silu",
        "rope_theta": 10000.0,
    },
    # Gated DeltaNet hybrid: one linear layer, one of full attention. The linear kernel for CPUs takes bfloat16 only,
    # and vLLM wants at least one layer of experts.
    "tiny-gdn": {
        **_COMMON,
        "architectures": ["Qwen3NextForCausalLM"],
        "model_type": "qwen3_next",
        "dtype": "bfloat16",
        "hidden_size": 128,
        "intermediate_size": 256,
        "num_hidden_layers": 2,
        "layer_types": ["linear_attention", "full_attention"],
        "num_attention_heads": 4,
        "num_key_value_heads": 1,
        "head_dim": 64,
        "hidden_act": "silu",
        "partial_rotary_factor": 0.25,
        "rope_theta": 10000.0,
        "linear_num_key_heads": 2,
        "linear_num_value_heads": 2,
        "linear_key_head_dim": 64,
        "linear_value_head_dim": 64,
        "linear_conv_kernel_dim": 4,
        "mlp_only_layers": [0],
        "decoder_sparse_step": 1,
        "num_experts": 4,
        "num_experts_per_tok": 2,
        "moe_intermediate_size": 64,
        "shared_expert_intermediate_size": 64,
        "norm_topk_prob": True,
    },
}
"""The `config.json` of each tiny model by its name."""
