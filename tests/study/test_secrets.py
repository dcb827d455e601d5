"""A configuration with a secret is refused, and the message does not show it."""

from typing import Any

import pytest

from burstlab.errors import BurstlabError


@pytest.mark.parametrize("name", ["HF_TOKEN", "AWS_SECRET_ACCESS_KEY", "VLLM_API_KEY", "DB_PASSWORD"])
def test_variables(name: str, small: dict[str, Any], study_of: Any) -> None:
    small["engines"]["plain"]["environment_variables"] = {name: "hush"}
    with pytest.raises(BurstlabError, match=f"{name}.*set it in your shell") as caught:
        study_of(small)
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    "arguments",
    [
        {"api-key": "hush"},
        {"hf_token": "hush"},
        {"some-secret": "hush"},
        {"kv-transfer-config": {"extra": [{"access_key": "hush"}]}},
    ],
)
def test_flags(arguments: dict[str, Any], small: dict[str, Any], study_of: Any) -> None:
    small["engines"]["plain"]["arguments"] = arguments
    with pytest.raises(BurstlabError, match="arguments") as caught:
        study_of(small)
    assert "hush" not in str(caught.value)


def test_numbers_of_tokens_are_no_secrets(small: dict[str, Any], study_of: Any) -> None:
    arguments = {"long-prefill-token-threshold": 512, "tokenizer-mode": "slow"}
    small["engines"]["plain"]["arguments"] = arguments
    assert study_of(small).engines["plain"].arguments == arguments


@pytest.mark.parametrize("url", ["https://me:hush@example.org/b.csv", "https://example.org/b.csv?token=hush"])
def test_addresses(url: str, small: dict[str, Any], study_of: Any) -> None:
    small["datasets"]["burst"]["url"] = url
    with pytest.raises(BurstlabError, match="would be recorded") as caught:
        study_of(small)
    assert "hush" not in str(caught.value)
