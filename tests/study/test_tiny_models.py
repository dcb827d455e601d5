"""A configuration asks of a built model only what it can do: else its engine would fail after a minute or two."""

from typing import Any

import pytest

from burstlab.errors import BurstlabError
from burstlab.study.expand import cells

POSITIONS = "model llama is a tiny-gqa, which has 4096 positions"
KERNEL = "the kernel of tiny-gdn for CPUs takes bfloat16 and nothing else"


def refused(config: dict[str, Any], study_of: Any) -> str:
    with pytest.raises(BurstlabError) as caught:
        study_of(config)
    return str(caught.value)


def test_a_context_longer_than_the_positions_of_a_built_model_is_refused(
    small: dict[str, Any], study_of: Any
) -> None:
    small["models"]["llama"] = {"build": "tiny-gqa"}
    small["engines"]["plain"]["max_model_len"] = 4097
    assert f"engines.plain.max_model_len = 4097: {POSITIONS}" in refused(small, study_of)
    small["engines"]["plain"]["max_model_len"] = 4096
    assert cells(study_of(small))


def test_other_models_may_have_more_positions(small: dict[str, Any], study_of: Any) -> None:
    small["engines"]["plain"]["max_model_len"] = 131072
    assert cells(study_of(small))


@pytest.mark.parametrize("dtype", ["float32", "float16"])
def test_gated_delta_net_on_a_cpu_takes_bfloat16_only(
    small: dict[str, Any], study_of: Any, dtype: str
) -> None:
    small["models"]["llama"] = {"build": "tiny-gdn", "dtype": dtype}
    assert f"models.llama.dtype = '{dtype}': {KERNEL}" in refused(small, study_of)
    small["models"]["llama"]["dtype"] = "bfloat16"
    assert cells(study_of(small))
    small["engines"]["plain"]["dtype"] = dtype
    assert f"engines.plain.dtype = '{dtype}': {KERNEL}" in refused(small, study_of)
    small["blocks"][0]["platforms"] = ["gpu"]
    assert cells(study_of(small))


def test_what_nobody_says_is_the_models_own_format(small: dict[str, Any], study_of: Any) -> None:
    small["models"]["llama"] = {"build": "tiny-gdn"}
    assert cells(study_of(small))
