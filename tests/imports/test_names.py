import math
from pathlib import PurePath

import pytest

from burstlab.errors import BurstlabError
from burstlab.imports.names import Named, from_layout, seed_in_name, slug


def test_the_predecessors_path_names_everything() -> None:
    path = PurePath("old/vLLM_0.22/A100/Qwen3.5-9B/in256out128/rate7.5/burst0.1/prompts1000seed4.json")
    assert from_layout(path) == Named(
        platform="a100",
        model="qwen3.5-9b",
        engine="vllm_0.22",
        workload="in256out128-n1000",
        rate=7.5,
        burstiness=0.1,
        requests=1000,
        input_tokens=256,
        output_tokens=128,
        seed=4,
    )


def test_an_infinite_rate_is_understood() -> None:
    named = from_layout(PurePath("v/g/m/in1out2/rateinf/burst1/prompts5seed0.json"))
    assert named is not None
    assert named.rate == math.inf


@pytest.mark.parametrize(
    "path",
    ["a.json", "v/g/m/in1out2/rate1/burst1/prompts5.json", "g/m/in1out2/rate1/burst1/prompts5seed0.json"],
)
def test_other_paths_name_nothing(path: str) -> None:
    assert from_layout(PurePath(path)) is None


def test_a_seed_in_a_name_counts_if_there_is_one() -> None:
    assert seed_in_name(PurePath("qwen-seed12.json")) == 12
    assert seed_in_name(PurePath("seed1-seed2.json")) is None
    assert seed_in_name(PurePath("reseeded.json")) is None


def test_names_become_parts_of_paths() -> None:
    assert slug("meta-llama/Llama-3.1 8B (bf16)") == "llama-3.1-8b-bf16"
    with pytest.raises(BurstlabError, match="makes no name"):
        slug("…")
