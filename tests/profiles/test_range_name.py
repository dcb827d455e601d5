import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.profiles.range_name import PREFIX, Batch, parse_range


def test_a_mixed_batch() -> None:
    batch = parse_range("execute_context_2(512)_generation_20(21)")
    assert batch == Batch(2, 512, 20, 21)
    assert batch.kind == "mixed"


def test_the_detailed_form_tells_the_same_counts() -> None:
    name = "execute_532_context_2(sq512sk900sqsq131072sqsk230400)_generation_20(sq20sk8000sqsq20sqsk8000)"
    assert parse_range(name) == Batch(2, 512, 20, 20)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("execute_context_0(0)_generation_20(20)", "decode-only"),
        ("execute_context_1(7)_generation_0(0)", "prefill-only"),
        ("execute_context_0(0)_generation_0(0)", None),
    ],
)
def test_kinds(name: str, kind: str | None) -> None:
    batch = parse_range(name)
    assert batch is not None
    assert batch.kind == kind


@pytest.mark.parametrize(
    "name",
    [
        "",
        "execute_context_2(512)",
        "execute_context_2(512)_generation_20(20) ",
        "my execute_context_2(512)_generation_20(20)",
        "execute_context_-1(512)_generation_20(20)",
        "execute_context_2(5.5)_generation_20(20)",
        "execute_context_2(512)_generation_20(20)_again",
        "execute_new_2_cached_20",
    ],
)
def test_other_names_are_no_iterations(name: str) -> None:
    assert parse_range(name) is None


@given(*[st.integers(0, 10**12 - 1)] * 4)
def test_what_vllm_writes_comes_back(a: int, b: int, c: int, d: int) -> None:
    name = f"execute_context_{a}({b})_generation_{c}({d})"
    assert name.startswith(PREFIX)
    assert parse_range(name) == Batch(a, b, c, d)
