"""The command for `vllm bench forward`, and what it saves; a program in its place stands for vLLM 0.33."""

import sys
from pathlib import Path

import pytest

from burstlab.errors import BurstlabError
from burstlab.exact_batches.bench_forward import case_text, command, time_forward
from burstlab.exact_batches.shapes import CHUNK, DECODE, MIXED, PACKED, PADDED, Shape
from burstlab.exact_batches.timed import Timed

SHAPE = Shape(decodes=32, context_tokens=1024, chunk_tokens=512)
ARGUMENTS = ["--model", "m", "--dtype", "bfloat16"]

# Takes the arguments as vLLM does, and saves 1,000 µs for each token of a case.
STAND_IN = """
import json, re, sys
from pathlib import Path
given = sys.argv[1:]
cases = [given[place + 1] for place, word in enumerate(given) if word == "--case"]
def tokens(case):
    found = re.findall(r"(?:^|,)(?:(\\d+)\\*)?(\\d+)(?:@\\d+)?c?(?=,|$)", case.split("=")[1])
    return sum(int(number or 1) * int(query) for number, query in found)
saved = [{"case": case.split("=")[0], "requests": [], "median_us": 1000.0 * tokens(case)} for case in cases]
Path(given[given.index("--output-json") + 1]).write_text(json.dumps(saved))
"""
WITHOUT = "import sys; sys.exit(\"vllm bench: error: argument bench_type: invalid choice: 'forward' (choose from latency)\")"
BROKEN = "import sys; sys.exit('CUDA out of memory')"


@pytest.mark.parametrize(
    ("arm", "text"),
    [
        # K counts the query in: a decode after 1,024 tokens has 1,025.
        (DECODE, "32*1@1025"),
        (CHUNK, "512"),
        (MIXED, "32*1@1025,512"),
        (PACKED, "32*1@1025,2*512"),
        # Two tokens after a context would pass for a hit of the prefix cache; c says that it was computed in chunks.
        (PADDED, "32*2@1026c"),
    ],
)
def test_a_batch_in_its_words(arm: str, text: str) -> None:
    assert case_text(SHAPE.calls(arm)[0]) == text


def test_the_command() -> None:
    found = command(["python"], ARGUMENTS, [SHAPE], [[(0, MIXED), (0, DECODE)]], Path("out.json"), 1)
    assert found == [
        *("python", "-m", "vllm.entrypoints.cli.main", "bench", "forward"),
        *ARGUMENTS,
        *("--kv-len-jitter", "0", "--iters", "20", "--samples", "3", "--output-json", "out.json"),
        *("--case", "0.0.mixed=32*1@1025,512", "--case", "0.0.decode=32*1@1025"),
    ]


def test_a_model_on_several_gpus_has_a_process_each() -> None:
    found = command(["python"], ARGUMENTS, [SHAPE], [], Path("out.json"), 2)
    assert found[1:6] == [
        *("-m", "torch.distributed.run", "--nproc-per-node=2", "-m", "vllm.entrypoints.cli.main")
    ]


def stand_in(folder: Path, program: str) -> list[str]:
    """A Python whose `-m vllm…` is the program: what comes after `forward` is handed to it."""
    script = folder / "vllm.py"
    script.write_text(program)
    shell = folder / "python"
    shell.write_text(f'#!/bin/sh\nshift 4\nexec {sys.executable} {script} "$@"\n')
    shell.chmod(0o755)
    return [str(shell)]


def timed(folder: Path, program: str) -> Timed:
    return time_forward(stand_in(folder, program), ARGUMENTS, [SHAPE], {}, folder, folder / "log")


def test_times_are_those_of_each_case_and_repetition(tmp_path: Path) -> None:
    found = timed(tmp_path, STAND_IN)
    assert {row["repetition"] for row in found.rows} == set(range(10))
    assert {row["arm"]: row["ms"] for row in found.rows} == {
        DECODE: 32.0,
        CHUNK: 512.0,
        MIXED: 544.0,
        PACKED: 1056.0,
        PADDED: 64.0,
    }


def test_an_older_vllm_is_said_to_have_none(tmp_path: Path) -> None:
    found = timed(tmp_path, WITHOUT)
    assert found.rows == ()
    assert found.why == "this vLLM has no `vllm bench forward`; 0.33 is the first that does"


def test_another_failure_is_told(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match="CUDA out of memory"):
        timed(tmp_path, BROKEN)


@pytest.mark.parametrize("saved", ["{", "{}", "[{}]", '[{"case": "a", "median_us": 1}]'])
def test_what_is_saved_otherwise_is_refused(tmp_path: Path, saved: str) -> None:
    program = STAND_IN.replace("json.dumps(saved)", repr(saved))
    with pytest.raises(BurstlabError, match="not as vllm bench forward saves it"):
        timed(tmp_path, program)
