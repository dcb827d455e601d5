from pathlib import Path

import pandas as pd
import pytest

from burstlab.errors import BurstlabError
from burstlab.exact_batches.record import build_table, write_times
from burstlab.exact_batches.shapes import DECODE, PADDED, Shape
from burstlab.exact_batches.timed import Timed

NO_NUMBER = """{"platform": "cpu", "model": "tiny", "engine": "eager", "evidence": "measured", "by": "x", "vllm": null,
"threads": "one", "others_share": null, "why": "it has none", "shapes": [], "rows": []}"""
SHAPES = [Shape(2, 100, 30), Shape(4, 200, 60)]


def row(shape: int, arm: str, ms: float) -> dict[str, object]:
    return {"shape": shape, "arm": arm, "repetition": 0, "part": "forward", "ms": ms}


def written(folder: Path, engine: str, timed: Timed) -> Path:
    path = folder / f"{engine}.json"
    write_times(path, "cpu", "tiny", engine, SHAPES, timed)
    return path


def table(folder: Path, *files: Path) -> pd.DataFrame:
    build_table(files, folder / "tables")
    return pd.read_parquet(folder / "tables/exact_batches.parquet")


def test_a_row_says_what_was_computed_and_by_what(tmp_path: Path) -> None:
    rows = (row(1, DECODE, 5.0), row(0, PADDED, 7.0))
    found = table(tmp_path, written(tmp_path, "eager", Timed("model runner", "0.32.0", 1, rows)))
    assert found[["decodes", "context_tokens", "chunk_tokens", "tokens_a_decode", "arm", "ms"]].to_numpy().tolist() == [
        [4, 200, 60, 1, DECODE, 5.0],
        [2, 100, 30, 2, PADDED, 7.0],
    ]  # fmt: skip
    assert set(found["evidence"]) == {"measured"}
    assert set(found["vllm_version"]) == {"0.32.0"}


def test_it_says_how_much_of_the_machine_others_used(tmp_path: Path) -> None:
    timed = Timed("model runner", "0.32.0", 1, (row(0, DECODE, 5.0),), others_share=0.25)
    assert table(tmp_path, written(tmp_path, "a", timed))["others_share"].tolist() == [0.25]


def test_an_engine_without_times_says_why(tmp_path: Path) -> None:
    timed = written(tmp_path, "a", Timed("model runner", "0.32.0", 1, (row(0, DECODE, 5.0),)))
    none = written(tmp_path, "b", Timed("vllm bench forward", None, None, (), "it has none"))
    found = table(tmp_path, timed, none)
    assert found["engine"].tolist() == ["a", "b"]
    assert found["why"].fillna("").tolist() == ["", "it has none"]
    assert found["ms"].isna().tolist() == [False, True]


def test_the_csv_says_the_same(tmp_path: Path) -> None:
    found = table(
        tmp_path, written(tmp_path, "a", Timed("model runner", "0.32.0", 1, (row(0, DECODE, 5.25),)))
    )
    assert pd.read_csv(tmp_path / "tables/exact_batches.csv")["ms"].tolist() == found["ms"].tolist()


@pytest.mark.parametrize(
    "text",
    ["", "{}", "[]", '{"rows": [{"shape": 9}], "shapes": []}', NO_NUMBER],
    ids=["empty", "no-keys", "list", "no-shape", "no-number"],
)
def test_another_file_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(BurstlabError, match=r"a\.json: not the times of exact batches"):
        build_table([path], tmp_path)
