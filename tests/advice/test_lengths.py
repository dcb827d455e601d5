from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.advice.lengths import COLUMNS, lengths, read_lengths
from burstlab.errors import BurstlabError


@given(prompt=st.integers(1, 5000), output=st.integers(1, 5000), seed=st.integers(0, 99))
def test_fixed_lengths_are_fixed(prompt: int, output: int, seed: int) -> None:
    prompts, outputs = lengths(f"{prompt}/{output}").draw(7, seed)
    assert prompts.tolist() == [prompt] * 7
    assert outputs.tolist() == [output] * 7


@pytest.mark.parametrize("text", ["synthetic-sharegpt", "synthetic-burstgpt", "800~1.0/270~0.5"])
def test_drawn_lengths_go_with_the_seed(text: str) -> None:
    source = lengths(text)
    first, same, other = source.draw(50, 1), source.draw(50, 1), source.draw(50, 2)
    assert np.array_equal(first, same)
    assert not np.array_equal(first, other)
    assert min(part.min() for part in first) >= 1


def test_lognormal_ones_have_the_median_that_was_asked_for() -> None:
    prompts, outputs = lengths("800~1.0/270~0.5").draw(20_000, 0)
    assert np.median(prompts) == pytest.approx(800, rel=0.05)
    assert np.median(outputs) == pytest.approx(270, rel=0.05)
    assert np.log(outputs).std() == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize("names", COLUMNS)
@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_file_gives_its_rows_together(names: tuple[str, str], suffix: str, tmp_path: Path) -> None:
    frame = pd.DataFrame({"x": ["a", "b", "c"], names[0]: [10, 20, 30], names[1]: [1, 2, 0]})
    path = tmp_path / f"trace.{suffix}"
    frame.to_csv(path) if suffix == "csv" else frame.to_parquet(path)
    source = lengths(str(path))
    assert set(zip(*(part.tolist() for part in source.draw(60, 0)), strict=True)) == {(10, 1), (20, 2)}
    assert source.words.endswith("(2)")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a,b\n1,2\n", "has no columns of lengths: prompt_tokens and output_tokens; .* It has: a, b"),
        (
            "prompt_tokens,output_tokens\n5,many\n",
            "row 1: prompt_tokens and output_tokens must be whole numbers",
        ),
        ("prompt_tokens,output_tokens\n5,6\n5,1.5\n", "row 2"),
        ("prompt_tokens,output_tokens\n5,\n5,1e300\n", "row 2"),
        ("prompt_tokens,output_tokens\n5,\n", "no row has a prompt and an output"),
        ("prompt_tokens,output_tokens\n-5,6\n", "row 1"),
        ("prompt_tokens,output_tokens\n5,0\n", "no row has a prompt and an output"),
    ],
)
def test_what_is_wrong_with_a_file_is_told(text: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "trace.csv"
    path.write_text(text)
    with pytest.raises(BurstlabError, match=told):
        read_lengths(path)


def test_a_file_that_is_no_parquet_is_told(tmp_path: Path) -> None:
    path = tmp_path / "trace.parquet"
    path.write_bytes(b"nothing")
    with pytest.raises(BurstlabError, match=r"cannot be read as Parquet"):
        read_lengths(path)


@pytest.mark.parametrize("text", ["", "512", "512/", "0/5", "nowhere.csv", "1~2/3", "sharegpt"])
def test_anything_else_is_an_error_that_lists_what_there_is(text: str) -> None:
    with pytest.raises(BurstlabError, match=r"synthetic-sharegpt|at least 1 token"):
        lengths(text)
