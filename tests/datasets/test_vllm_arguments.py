"""A workload as arguments of vLLM's client."""

from pathlib import Path

import pytest

from burstlab.datasets.prepare import prepare
from burstlab.datasets.recipe import folder_name
from burstlab.datasets.vllm_arguments import dataset_arguments
from burstlab.errors import BurstlabError
from burstlab.study.schema import Dataset, Workload

STAND_IN = Dataset(source="synthetic-sharegpt", rows=10, length_scale=0.1)
BURSTGPT = Dataset(source="burstgpt", path="in.csv")
TRACE = Dataset(source="azure-trace", path="in.csv")


def test_random_lengths() -> None:
    workload = Workload(dataset="random", input_tokens=128, output_tokens=32, range_ratio=0.5, requests=100)
    assert dataset_arguments(workload, {}, Path("datasets"), seed=3) == [
        *("--dataset-name", "random", "--random-input-len", "128", "--random-output-len", "32"),
        *("--random-range-ratio", "0.5", "--num-prompts", "100", "--seed", "3", "--ignore-eos"),
    ]


@pytest.mark.parametrize("source", ["synthetic-sharegpt", "synthetic-burstgpt"])
def test_a_stand_in_is_read_as_sharegpt(tmp_path: Path, source: str) -> None:
    dataset = Dataset.model_validate({"source": source, "rows": 10, "length_scale": 0.1})
    prepare("talk", dataset, tmp_path / folder_name("talk", dataset))
    assert dataset_arguments(Workload(dataset="talk", requests=10), {"talk": dataset}, tmp_path, 0) == [
        *(
            "--dataset-name",
            "sharegpt",
            "--dataset-path",
            str(tmp_path / folder_name("talk", dataset) / "data.json"),
        ),
        *("--num-prompts", "10", "--seed", "0", "--ignore-eos"),
    ]


def test_burstgpt_is_read_as_burstgpt(tmp_path: Path) -> None:
    header = "Timestamp,Model,Request tokens,Response tokens,Total tokens,Log Type"
    (tmp_path / "in.csv").write_text(f"{header}\n1,GPT-4,1,1,2,API log\n")
    prepare("burst", BURSTGPT, tmp_path / folder_name("burst", BURSTGPT), root=tmp_path)
    arguments = dataset_arguments(Workload(dataset="burst", requests=1), {"burst": BURSTGPT}, tmp_path, 0)
    assert arguments[:4] == [
        *(
            "--dataset-name",
            "burstgpt",
            "--dataset-path",
            str(tmp_path / folder_name("burst", BURSTGPT) / "data.csv"),
        )
    ]


def test_too_few_rows_are_an_error(tmp_path: Path) -> None:
    prepare("talk", STAND_IN, tmp_path / folder_name("talk", STAND_IN))
    with pytest.raises(BurstlabError, match="has 10 usable rows, fewer than the 11"):
        dataset_arguments(Workload(dataset="talk", requests=11), {"talk": STAND_IN}, tmp_path, 0)


def test_a_dataset_of_another_recipe_is_an_error(tmp_path: Path) -> None:
    prepare("talk", STAND_IN, tmp_path / folder_name("talk", STAND_IN))
    changed = {"talk": STAND_IN.model_copy(update={"seed": 1})}
    workload = Workload(dataset="talk", requests=1)
    with pytest.raises(BurstlabError, match="not been prepared"):
        dataset_arguments(workload, changed, tmp_path, 0)
    # Nor does a folder that was given the other one's name help.
    (tmp_path / folder_name("talk", STAND_IN)).rename(tmp_path / folder_name("talk", changed["talk"]))
    with pytest.raises(BurstlabError, match="prepare it anew"):
        dataset_arguments(workload, changed, tmp_path, 0)


def test_a_trace_has_no_prompts(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="name it in a block's traces"):
        dataset_arguments(Workload(dataset="azure", requests=1), {"azure": TRACE}, tmp_path, 0)


def test_an_unprepared_dataset_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="not been prepared"):
        dataset_arguments(Workload(dataset="talk", requests=1), {"talk": STAND_IN}, tmp_path, 0)
