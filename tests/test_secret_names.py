"""Nothing that is called a secret reaches a record or a log."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.secret_names import (
    HIDDEN,
    is_secret,
    is_secret_url,
    without_secret_arguments,
    without_secrets,
)

SECRETS = [
    "HF_TOKEN",
    "HUGGING_FACE_HUB_TOKEN",
    "VLLM_API_KEY",
    "OPENAI_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_ACCESS_KEY_ID",
    "AWS_SECRET",
    "DB_PASSWORD",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "api-key",
    "--api-key",
    "hf_token",
    "apiKey",
    "authToken",
    "secret_file",
]
HARMLESS = [
    "tokenizer",
    "tokenizer-mode",
    "max-num-batched-tokens",
    "long-prefill-token-threshold",
    "TOKENIZERS_PARALLELISM",
    "VLLM_CPU_KVCACHE_SPACE",
    "keyboard",
    "monkey",
    "ssl-keyfile",
    "author",
    "",
]


@pytest.mark.parametrize("name", SECRETS)
def test_secrets_are_told_by_their_names(name: str) -> None:
    assert is_secret(name)


@pytest.mark.parametrize("name", HARMLESS)
def test_other_names_are_left_alone(name: str) -> None:
    assert not is_secret(name)


def test_values_of_variables_are_hidden() -> None:
    assert without_secrets({"HF_TOKEN": "hf_x", "OMP_NUM_THREADS": "2"}) == {
        "HF_TOKEN": HIDDEN,
        "OMP_NUM_THREADS": "2",
    }


def test_values_on_command_lines_are_hidden() -> None:
    command = ["vllm", "--api-key", "x", "--port", "1", "--hf-token=y", "HF_TOKEN=z", "--seed", "0"]
    assert without_secret_arguments(command) == [
        *("vllm", "--api-key", HIDDEN, "--port", "1", f"--hf-token={HIDDEN}", f"HF_TOKEN={HIDDEN}"),
        *("--seed", "0"),
    ]


def test_a_flag_without_value_hides_no_other_flag() -> None:
    assert without_secret_arguments(["--hf-token", "--port", "1"]) == ["--hf-token", "--port", "1"]


@given(st.sampled_from(["--api-key", "--hf-token"]), st.text("abcXYZ0123456789", min_size=8))
def test_no_form_of_a_command_line_keeps_the_value(flag: str, value: str) -> None:
    for command in ([flag, value], [f"{flag}={value}"], ["x", flag, value, "--port", "1"]):
        assert not any(value in part for part in without_secret_arguments(command))


@pytest.mark.parametrize(
    ("url", "secret"),
    [
        ("https://example.org/b.csv", False),
        ("https://example.org/b.csv?download=true", False),
        ("https://me:pass@example.org/b.csv", True),
        ("https://example.org/b.csv?token=x", True),
        ("https://example.org/b.csv?X-Amz-Signature=x", True),
        ("https://example.org/b.csv?sv=1&sig=x", True),
    ],
)
def test_addresses_with_secrets(url: str, secret: bool) -> None:
    assert is_secret_url(url) is secret
