"""A workload as arguments of `vllm bench serve` (names as in vLLM 0.22 to 0.33)."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from burstlab.datasets import burstgpt, sharegpt
from burstlab.datasets.recipe import folder_name
from burstlab.datasets.record import check_recipe
from burstlab.datasets.whole import read_whole
from burstlab.errors import BurstlabError
from burstlab.study.schema import RANDOM, Dataset, Workload

_READERS = {
    "sharegpt": ("sharegpt", sharegpt.DATA),
    "synthetic-sharegpt": ("sharegpt", sharegpt.DATA),
    "synthetic-burstgpt": ("sharegpt", sharegpt.DATA),
    "burstgpt": ("burstgpt", burstgpt.DATA),
}


def dataset_arguments(
    workload: Workload, datasets: Mapping[str, Dataset], folder: Path, seed: int
) -> list[str]:
    """The arguments that choose the requests of `workload`; `folder` holds a folder for each prepared
    dataset, named by `recipe.folder_name`.

    `--seed` draws prompts, lengths and arrivals: vLLM uses separate generators for them, so that the same
    seed means the same arrivals for every workload. Outputs are made as long as asked (`--ignore-eos`): a
    model with random weights would stop anywhere, and a real one would make the lengths depend on the
    model.

    Raises BurstlabError when the dataset is not prepared, is damaged, has no prompts, was prepared from something
    else, or has fewer rows than requests: vLLM would then send prompts twice.
    """
    return [
        *(_random(workload) if workload.dataset == RANDOM else _prepared(workload, datasets, folder)),
        *("--num-prompts", str(workload.requests)),
        *("--seed", str(seed)),
        "--ignore-eos",
    ]


def _random(workload: Workload) -> list[str]:
    return [
        *("--dataset-name", "random"),
        *("--random-input-len", str(workload.input_tokens)),
        *("--random-output-len", str(workload.output_tokens)),
        *("--random-range-ratio", str(workload.range_ratio)),
    ]


def _prepared(workload: Workload, datasets: Mapping[str, Dataset], folder: Path) -> list[str]:
    name = workload.dataset
    if name not in datasets or datasets[name].source not in _READERS:
        raise BurstlabError(f"dataset {name} has no prompts: name it in a block's traces, not in a workload")
    folder = folder / folder_name(name, datasets[name])
    record = read_whole(folder)
    check_recipe(record, datasets[name], folder)
    if record.rows_kept < workload.requests:
        raise BurstlabError(
            f"dataset {name} has {record.rows_kept} usable rows, fewer than the {workload.requests} "
            "requests of a workload: lower requests, or use a larger dataset"
        )
    reader, file = _READERS[record.source]
    return ["--dataset-name", reader, "--dataset-path", str(folder / file)]
