from dataclasses import replace

import pytest

from burstlab.advice.paths import Asked, gdn_of, setup_of
from burstlab.errors import BurstlabError

LLAMA = Asked("llama-3.1-8b", "h200")


def test_what_is_left_out_is_vllms_default_for_the_gpu() -> None:
    large, small = setup_of(LLAMA), setup_of(replace(LLAMA, gpu="a100-40gb"))
    assert (large.attention, large.max_batched_tokens, large.max_sequences) == ("FA3", 8192, 1024)
    assert (small.attention, small.max_batched_tokens, small.max_sequences) == ("FA2", 2048, 256)
    assert large.chunked_prefill
    assert large.gdn == "peeled"


def test_what_is_said_is_taken() -> None:
    asked = replace(
        LLAMA,
        attention="fa2",
        graphs="eager",
        gpus=2,
        chunked_prefill=False,
        max_batched_tokens=4096,
        max_sequences=64,
    )
    setup = setup_of(asked)
    assert (setup.attention, setup.graphs, setup.tensor_parallel) == ("FA2", "none", 2)
    assert (setup.chunked_prefill, setup.max_batched_tokens, setup.max_sequences) == (False, 4096, 64)


def test_a_model_by_its_name_on_the_hub_and_a_gpu_in_capitals() -> None:
    asked = replace(LLAMA, model="meta-llama/Llama-3.1-8B-Instruct", gpu="H200")
    assert setup_of(asked) == setup_of(LLAMA)


@pytest.mark.parametrize(
    ("version", "path"), [("0.22.1", "whole"), ("v0.9.0", "whole"), ("0.23.0", "peeled"), ("1.0", "peeled")]
)
def test_the_version_decides_the_path_of_gated_delta_net(version: str, path: str) -> None:
    assert gdn_of(version) == path


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"model": "gpt-5"}, r"--model gpt-5: not known; there are qwen3.5-9b, llama-3.1-8b"),
        ({"gpu": "b200"}, r"--gpu b200: not known; there are a100-40gb, gh200, h200"),
        ({"model": "openai/GPT-5"}, "--model openai/GPT-5: not known"),
        ({"gpus": 0}, "--gpus 0: at least 1"),
        ({"gpus": 3}, "llama-3.1-8b has 32 attention heads, which vLLM does not split over 3 GPUs"),
        ({"attention": "FA9"}, "--attention FA9: not known; there are FA2, FA3, FA4, FLASHINFER"),
        ({"gpu": "a100-40gb", "attention": "FA3"}, "Ampere GPU, which runs FA2 or FLASHINFER"),
        ({"graphs": "some"}, "--graphs some: not known; there are default, none"),
        ({"vllm": "latest"}, "--vllm latest: a version was expected"),
        ({"model": "llama-3-70b", "gpu": "a100-40gb"}, "GiB of weights"),
        ({"max_sequences": 9000}, "max_sequences is 9000"),
    ],
)
def test_mistakes_name_the_option_and_what_is_known(change: dict[str, object], told: str) -> None:
    with pytest.raises(BurstlabError, match=told):
        setup_of(replace(LLAMA, **change))  # type: ignore[arg-type]
