"""A workload whose requests an engine cannot take is a fault of the configuration, and so is a trace too short."""

from typing import Any

import pytest

from burstlab.errors import BurstlabError


def sending(small: dict[str, Any], dataset: dict[str, Any], max_model_len: int | None) -> dict[str, Any]:
    small["datasets"]["it"] = dataset
    small["workloads"]["talk"] = {"dataset": "it", "requests": 10}
    small["blocks"][0]["workloads"] = ["talk"]
    if max_model_len is not None:
        small["engines"]["plain"]["max_model_len"] = max_model_len
    return small


SHAREGPT = {"source": "sharegpt", "url": "https://example.org/s.json"}
BURSTGPT = {"source": "burstgpt", "url": "https://example.org/b.csv"}
STAND_IN = {"source": "synthetic-sharegpt", "max_prompt_tokens": 100, "max_output_tokens": 50}
TALK = r"blocks\[0\]\.workloads\[0\] = 'talk'"


@pytest.mark.parametrize("dataset", [SHAREGPT, STAND_IN])
def test_the_client_sends_up_to_2048_tokens_of_a_conversation(
    dataset: dict[str, Any], small: dict[str, Any], study_of: Any
) -> None:
    study_of(sending(small, dataset, 2048))
    with pytest.raises(
        BurstlabError, match=f"{TALK}: up to 2048 tokens.*engine plain has max_model_len: 2047"
    ):
        study_of(sending(small, dataset, 2047))


def test_a_stand_in_has_the_lengths_that_it_says_in_tokens_of_a_tiny_model(
    small: dict[str, Any], study_of: Any
) -> None:
    small["models"]["llama"] = {"build": "tiny-gqa"}
    study_of(sending(small, STAND_IN, 150))
    with pytest.raises(BurstlabError, match=f"{TALK}: up to 150 tokens.*max_model_len: 149"):
        study_of(sending(small, STAND_IN, 149))


def test_burstgpt_needs_a_limit_where_the_engine_has_one(small: dict[str, Any], study_of: Any) -> None:
    study_of(sending(small, BURSTGPT, None))  # the model's own length is not known here
    with pytest.raises(BurstlabError, match=r"of any length: .*set datasets\.it\.max_total_tokens"):
        study_of(sending(small, BURSTGPT, 4096))
    study_of(sending(small, BURSTGPT | {"max_total_tokens": 4096}, 4096))
    with pytest.raises(BurstlabError, match=r"up to 4097 tokens \(datasets\.it\.max_total_tokens\)"):
        study_of(sending(small, BURSTGPT | {"max_total_tokens": 4097}, 4096))


def test_a_tiny_model_has_a_limit_of_its_own(small: dict[str, Any], study_of: Any) -> None:
    small["models"]["llama"] = {"build": "tiny-gqa"}
    with pytest.raises(BurstlabError, match="no max_model_len, and tiny-gqa has 4096 positions"):
        study_of(sending(small, BURSTGPT, None))


def test_the_limit_is_for_burstgpt_alone(small: dict[str, Any], study_of: Any) -> None:
    with pytest.raises(BurstlabError, match="max_total_tokens only goes with source: burstgpt"):
        study_of(sending(small, SHAREGPT | {"max_total_tokens": 9}, None))


def test_a_made_up_trace_needs_one_arrival_more_than_requests(small: dict[str, Any], study_of: Any) -> None:
    small["datasets"]["times"] = {"source": "synthetic-burstgpt", "rows": 11}
    small["blocks"][0]["traces"] = ["times"]
    study_of(small)  # 10 requests
    small["datasets"]["times"]["rows"] = 10
    with pytest.raises(
        BurstlabError, match=r"blocks\[0\]\.traces\[0\] = 'times': datasets\.times\.rows is 10.*takes 11"
    ):
        study_of(small)
