"""Shapes, against what is published of the models."""

import pytest

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.roofline.capacity import kv_tokens
from burstlab.simulator.costs.roofline.models import MODELS, model

# Billions of parameters, bytes of keys and values a token.
PUBLISHED = {
    "qwen3.5-9b": (8.95, 32_768),
    "llama-3.1-8b": (8.03, 131_072),
    "llama-3.2-1b": (1.24, 32_768),
    "llama-3-70b": (70.6, 327_680),
    "glm-4.7-flash": (29.9, 54_144),
}


@pytest.mark.parametrize("name", MODELS)
def test_a_shape_has_the_published_size(name: str) -> None:
    billions, kv_bytes = PUBLISHED[name]
    assert model(name).parameters / 1e9 == pytest.approx(billions, rel=0.005)
    assert model(name).kv_bytes == kv_bytes


def test_the_state_of_a_gated_deltanet_is_fifty_megabytes() -> None:
    qwen = model("qwen3.5-9b")
    assert qwen.gdn_layers * qwen.gdn_state_bytes == pytest.approx(50e6, rel=0.01)


def test_glm_computes_with_a_part_of_its_parameters() -> None:
    glm = model("glm-4.7-flash")
    idle = glm.moe_layers * (glm.experts - glm.experts_per_token) * glm.expert_parameters
    looked_up = glm.vocabulary * glm.hidden  # of the embedding a token needs one row
    assert (glm.parameters - idle - looked_up) / 1e9 == pytest.approx(3.6, rel=0.05)


def test_an_unknown_model_is_named() -> None:
    with pytest.raises(BurstlabError, match="model gpt-2"):
        model("gpt-2")


def test_keys_and_values_take_what_weights_leave() -> None:
    # 0.92 · 40 GiB − 2 GiB − 15.0 GiB of weights are 19.8 GiB, at 131,072 bytes a token.
    assert kv_tokens(model("llama-3.1-8b"), "a100-40gb") == pytest.approx(162_600, rel=0.01)


def test_a_model_that_is_too_large_is_refused() -> None:
    with pytest.raises(BurstlabError, match="131 GiB of weights"):
        kv_tokens(model("llama-3-70b"), "h200")
    assert kv_tokens(model("llama-3-70b"), "h200", 2) > 0
