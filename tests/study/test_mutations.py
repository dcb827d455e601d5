"""`config.yaml` broken in many ways: each ends in one message that names file, line, key, value and cure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from burstlab import cli

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Mutation:
    """The first match of the pattern `old` becomes `new`; the message must then have all of `said` in it.

    It must name the line of the change, or the line that `at` (a pattern) is in.
    """

    old: str
    new: str
    said: Sequence[str]
    at: str | None = None

    def line(self, text: str, changed_at: int) -> int:
        """The line, from 1, that the message must name."""
        place = changed_at if self.at is None else re.search(self.at, text, re.MULTILINE).start()
        return text.count("\n", 0, place) + 1


RATES = r"rates: \[\d.*?\]"
BLOCK = r"  - platforms: \[cpu\]\n(    .*\n)+"

MUTATIONS = {
    # keys
    "unknown key at the top": Mutation(r"^name:", "nmae:", ["nmae = 'default'", "did you mean 'name'?"]),
    "unknown key in an entry": Mutation(
        r"kvcache_gib: \d+", "kvcache: 2", ["platforms.cpu.kvcache = 2", "unknown key", "'kvcache_gib'"]
    ),
    "unknown key in a block": Mutation(
        r"(?<=    )rates:", "ratse:", ["blocks[0].ratse = ['inf']", "did you mean 'rates'?"]
    ),
    "missing key": Mutation(
        r"    requests: \d+.*\n",
        "",
        ["workloads.random-256-32.requests: this key is missing"],
        at=r"^  random-256-32:",
    ),
    "missing section": Mutation(
        r"^blocks:[\s\S]*", "", ["blocks: this key is missing", "Which cells to measure"], at=r"\A"
    ),
    "empty section": Mutation(r"^blocks:[\s\S]*", "blocks:", ["blocks = empty: must be a list"]),
    "repeated key": Mutation(
        r"(?<=kind: cpu).*\n",
        "\n    kind: cuda\n",
        ["platforms.cpu.kind", "already stands in line"],
        at=r"^    kind: cuda",
    ),
    "repeated entry": Mutation(
        r"^  tiny-gdn:", "  tiny-gqa:", ["models.tiny-gqa: this key already stands in line"]
    ),
    # names
    "misspelt platform": Mutation(
        r"platforms: \[cpu\]", "platforms: [cup]", ["blocks[0].platforms[0] = 'cup'", "did you mean 'cpu'?"]
    ),
    "misspelt model": Mutation(
        r"models: \[tiny-gqa",
        "models: [tiny-gqq",
        ["models[0] = 'tiny-gqq'", "no such model; did you mean 'tiny-gqa'"],
    ),
    "misspelt engine": Mutation(
        r"engines: \[eager\]",
        "engines: [eagre]",
        ["engines[0] = 'eagre'", "no such engine; did you mean 'eager'?"],
    ),
    "misspelt workload": Mutation(
        r"workloads: \[random-256-32",
        "workloads: [random-256-23",
        ["'random-256-23'", "mean 'random-256-32'?"],
    ),
    "misspelt dataset": Mutation(
        r"dataset: synthetic-sharegpt",
        "dataset: sharegpt",
        ["dataset = 'sharegpt': no such dataset", "random"],
    ),
    "misspelt environment": Mutation(
        r"environment: vllm-cpu",
        "environment: vllm-gpu",
        ["engines.eager.environment = 'vllm-gpu'", "'vllm-cpu'"],
    ),
    "unknown recipe": Mutation(
        r"build: tiny-gqa",
        "build: tiny-mla",
        ["models.tiny-gqa.build = 'tiny-mla'", "no such recipe", "tiny-gdn"],
    ),
    "unknown source": Mutation(
        r"source: synthetic-sharegpt", "source: shargpt", ["source = 'shargpt'", "must be sharegpt, burstgpt"]
    ),
    "name with a slash": Mutation(
        r"^  tiny-gqa:", "  tiny/gqa:", ["models.tiny/gqa", "a name has small letters"]
    ),
    "name that climbs": Mutation(
        r"^  eager:", "  ../eager:", ["engines", "../eager", "starts with a letter"]
    ),
    "name with a space": Mutation(
        r"^name: default", "name: my study", ["name = 'my study'", "a name has small"]
    ),
    "name that is a number": Mutation(r"^  eager:", "  8:", ["engines[8]", "must be text"], at=r"^  8:"),
    "missing lock": Mutation(
        r"lock: envs/vllm-cpu.txt", "lock: envs/none.txt", ["lock = 'envs/none.txt': no such file"]
    ),
    # numbers
    "rate of zero": Mutation(
        RATES, "rates: [0]", ["rates[0] = 0: a request rate must be above 0 (requests per second), or inf"]
    ),
    "negative rate": Mutation(RATES, "rates: [4, -1]", ["rates[1] = -1: a request rate must be above 0"]),
    "rate that is no number": Mutation(
        RATES, "rates: [.nan]", ["rates[0] = nan: a request rate must be above 0"]
    ),
    "rate as text": Mutation(
        RATES, "rates: ['10']", ["rates[0] = '10'", "not text: write 10.0 without quotes"]
    ),
    "rate that YAML takes for text": Mutation(RATES, "rates: [1e3]", ["rates[0] = '1e3'", "write 1000.0"]),
    "rate as a word": Mutation(
        RATES, "rates: [fast]", ["rates[0] = 'fast': a request rate must be a number"]
    ),
    "rate that is true": Mutation(
        RATES, "rates: [true]", ["rates[0] = True: a request rate must be a number"]
    ),
    "rate without list": Mutation(RATES, "rates: 10", ["rates = 10: must be a list"]),
    "no rates": Mutation(RATES, "rates: []", ["rates = []: must not be empty"]),
    "same rate twice": Mutation(RATES, "rates: [10, 10.0]", ["rates[1] = 10.0", "stands there twice"]),
    "burstiness of zero": Mutation(
        r"burstiness: \[1.0, 0.5, 0.1\]",
        "burstiness: [1.0, 0.0]",
        ["burstiness[1] = 0.0: burstiness must be above 0"],
    ),
    "negative burstiness": Mutation(
        r"burstiness: \[1.0, 0.5, 0.1\]", "burstiness: [-0.1]", ["burstiness[0] = -0.1", "must be above 0"]
    ),
    "no arrivals": Mutation(
        r"burstiness: \[1.0, 0.5, 0.1\]",
        "burstiness: []",
        ["blocks[1]", "give burstiness", "or traces"],
        at=r"^.*\n    models: \[tiny-gqa\]",
    ),
    "burstiness of an infinite rate": Mutation(
        r"burstiness: \[1.0\]",
        "burstiness: [1.0, 0.1]",
        ["rate inf", "block of its own"],
        at=r"^    rates: \[inf\]",
    ),
    "negative seed": Mutation(
        r"seeds: \[0\]", "seeds: [-1]", ["blocks[0].seeds[0] = -1", "a whole number from 0"]
    ),
    "seed that is true": Mutation(
        r"seeds: \[0\]", "seeds: [true]", ["seeds[0] = True", "a whole number from 0"]
    ),
    "seed with a fraction": Mutation(
        r"seeds: \[0\]", "seeds: [0.5]", ["seeds[0] = 0.5", "a whole number from 0"]
    ),
    "same seed twice": Mutation(r"seeds: \[0\]", "seeds: [0, 1, 0]", ["seeds[2] = 0", "stands there twice"]),
    "no requests": Mutation(r"requests: \d+", "requests: 0", ["requests = 0: must be at least 1"]),
    "requests as text": Mutation(
        r"requests: \d+", "requests: 'x'", ["requests = 'x': must be a whole number"]
    ),
    "requests with a fraction": Mutation(
        r"requests: \d+", "requests: 1.5", ["requests = 1.5: must be a whole"]
    ),
    "range ratio of one": Mutation(
        r"range_ratio: 0.0", "range_ratio: 1.0", ["range_ratio = 1.0: must be below 1"]
    ),
    "infinite memory": Mutation(
        r"kvcache_gib: \d+", "kvcache_gib: .inf", ["kvcache_gib = inf", "a finite number"]
    ),
    # switches and choices
    "switch that is a number": Mutation(
        r"chunked_prefill: true", "chunked_prefill: 1", ["chunked_prefill = 1: must be true or false"]
    ),
    "unknown graph mode": Mutation(
        r"cuda_graphs: none",
        "cuda_graphs: eager",
        ["cuda_graphs = 'eager': must be default, none, piecewise"],
    ),
    "unknown dtype": Mutation(
        r"dtype: float32", "dtype: fp32", ["dtype = 'fp32': must be float32, bfloat16"]
    ),
    "unknown kind": Mutation(
        r"kind: cpu", "kind: gpu", ["platforms.cpu.kind = 'gpu': must be cpu, cuda or simulated"]
    ),
    # combinations
    "GPUs of a CPU": Mutation(
        r"kvcache_gib: \d+", "gpus: 1", ["platforms.cpu.gpus = 1", "only goes with kind: cuda"]
    ),
    "FlashAttention on a CPU": Mutation(
        r"cuda_graphs: none",
        "flash_attn_version: 2",
        ["flash_attn_version: 2 needs a GPU, but platform cpu"],
        at=r"^    engines: \[eager\]",
    ),
    "CUDA graphs on a CPU": Mutation(
        r"cuda_graphs: none",
        "cuda_graphs: full",
        ["'eager': cuda_graphs: full needs a GPU"],
        at=r"^    engines: \[e",
    ),
    "FlashAttention of another backend": Mutation(
        r"cuda_graphs: none",
        "attention_backend: FLASHINFER\n    flash_attn_version: 2",
        ["flash_attn_version = 2", "not FLASHINFER"],
        at=r"^    flash_attn_version",
    ),
    "two kinds of environment": Mutation(
        r"(?<=lock: envs/vllm-cpu.txt).*",
        "\n    python: /usr/bin/python3",
        ["exactly one of", "lock and python"],
        at=r"^  vllm-cpu:",
    ),
    "two kinds of model": Mutation(
        r"build: tiny-gqa.*",
        "build: tiny-gqa\n    hub: a/b",
        ["exactly one of", "build and hub"],
        at=r"^  tiny-gqa:",
    ),
    "no kind of model": Mutation(r"build: tiny-gqa.*", "", ["exactly one of", "none"], at=r"^  tiny-gqa:"),
    "more GPUs than there are": Mutation(
        r"build: tiny-gqa.*",
        "build: tiny-gqa\n    tensor_parallel: 2",
        ["tensor_parallel: 2 exceeds", "platform cpu"],
        at=r"^    models: \[tiny-gqa",
    ),
    "trace without time stamps": Mutation(
        r"burstiness: \[1.0, 0.5, 0.1\]",
        "traces: [synthetic-sharegpt]",
        ["traces[0] = 'synthetic-sharegpt'", "has no timestamps"],
    ),
    "trace that is not there": Mutation(
        r"burstiness: \[1.0, 0.5, 0.1\]", "traces: [azure]", ["traces[0] = 'azure'", "no such dataset"]
    ),
    "prompts beyond the engine's limit": Mutation(
        r"max_model_len: \d+",
        "max_model_len: 287",
        ["'random-256-32': up to 288 tokens", "max_model_len: 287"],
        at=r"^    workloads: \[random-256-32",
    ),
    "batch that holds no prompt": Mutation(
        r"chunked_prefill: true([\s\S]*?)max_batched_tokens: \d+",
        r"chunked_prefill: false\1max_batched_tokens: 64",
        ["max_batched_tokens = 64", "without chunked_prefill"],
        at=r"^    max_batched_tokens",
    ),
    "lengths of a dataset": Mutation(
        r"(?<=dataset: synthetic-sharegpt)\n",
        "\n    input_tokens: 5\n",
        ["input_tokens only goes with dataset: random"],
        at=r"^    input_tokens: 5",
    ),
    "random without lengths": Mutation(
        r"    output_tokens: \d+.*\n", "", ["dataset: random needs output_tokens"], at=r"^  random-256-32:"
    ),
    "more requests than rows": Mutation(
        r"rows: 2000",
        "rows: 7",
        ["requests = ", "more than the rows: 7 of dataset synthetic-sharegpt"],
        at=r"requests: \d+\n  synthetic-burstgpt",
    ),
    "download without place": Mutation(
        r"datasets:\n",
        "datasets:\n  real:\n    source: sharegpt\n",
        ["datasets.real", "needs a url"],
        at="^  real:",
    ),
    "dataset that is called random": Mutation(
        r"datasets:\n",
        "datasets:\n  random:\n    source: synthetic-sharegpt\n",
        ["this name is taken"],
        at="^  random:",
    ),
    "flag that has a key": Mutation(
        r"cuda_graphs: none",
        "arguments: {max-num-seqs: 4}",
        ["arguments.max-num-seqs = 4: use max_sequences"],
    ),
    "flag that the workflow sets": Mutation(
        r"cuda_graphs: none",
        "arguments: {enable-prefix-caching: true}",
        ["the workflow sets this flag itself"],
    ),
    "flag with dashes": Mutation(
        r"cuda_graphs: none",
        "arguments: {--block-size: 4}",
        ["--block-size = 4", "without its leading dashes"],
    ),
    "variable that vLLM ignores": Mutation(
        r"cuda_graphs: none", "environment_variables: {VLLM_ATTENTION_BACKEND: X}", ["use attention_backend"]
    ),
    "secret": Mutation(
        r"cuda_graphs: none", "environment_variables: {HF_TOKEN: abc}", ["HF_TOKEN", "set it in your shell"]
    ),
    "block twice": Mutation(
        BLOCK,
        r"\g<0>\g<0>",
        ["blocks[1]", "blocks[0] already has cell cpu/tiny-gqa/eager/random-256-32/rate-inf"],
        at=r"(?<=seeds: \[0\]\n)  - platforms",
    ),
    # YAML
    "unclosed list": Mutation(RATES, "rates: [10", ["not valid YAML"], at=r"^    burstiness: \[1.0, 0"),
    "tabs": Mutation(r"    kind: cpu", "\tkind: cpu", ["not valid YAML"]),
    "foreign object": Mutation(RATES, "rates: !!python/object:os.system [1]", ["not valid YAML"]),
    "list instead of a study": Mutation(r"^[\s\S]*\Z", "[1, 2]", ["must be a mapping"]),
    "nothing": Mutation(r"^[\s\S]*\Z", "", ["a configuration must be a mapping", "this file is empty"]),
}


@pytest.mark.parametrize("mutation", MUTATIONS.values(), ids=MUTATIONS)
def test_each_mutation_ends_in_one_clear_message(
    mutation: Mutation, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "config.yaml").read_text()
    match = re.search(mutation.old, text, re.MULTILINE)
    assert match, "config.yaml has changed: this mutation no longer applies"
    mutated = text[: match.start()] + match.expand(mutation.new) + text[match.end() :]
    file = tmp_path / "broken.yaml"
    file.write_text(mutated)
    monkeypatch.chdir(ROOT)

    assert cli.main(["check", "--config", str(file)]) == 1

    first = capsys.readouterr().err.splitlines()[0]
    assert first.startswith(f"{file}:{mutation.line(mutated, match.start())}: ")
    for words in mutation.said:
        assert words in first


def test_several_faults_are_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "config.yaml").read_text()
    for old, new in (
        (r"kind: cpu", "kind: gpu"),
        (r"requests: \d+", "requests: 0"),
        (r"rates: \[inf\]", "rates: [0]"),
    ):
        text = re.sub(old, new, text, count=1)
    file = tmp_path / "broken.yaml"
    file.write_text(text)
    monkeypatch.chdir(ROOT)

    cli.main(["check", "--config", str(file)])

    told = capsys.readouterr().err.splitlines()
    assert [line.split(": ")[1].split(" = ")[0] for line in told] == [
        "platforms.cpu.kind",
        "workloads.random-256-32.requests",
        "blocks[0].rates[0]",
    ]


def test_a_hundred_faults_are_not_all_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (ROOT / "config.yaml").read_text()
    file = tmp_path / "broken.yaml"
    file.write_text(re.sub(r"seeds: \[0\]", f"seeds: {[-1] * 100}", text, count=1))
    monkeypatch.chdir(ROOT)

    cli.main(["check", "--config", str(file)])

    assert capsys.readouterr().err.splitlines()[10:] == ["and 90 more faults"]
