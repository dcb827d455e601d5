import json

import pytest

from burstlab.cli import main

LLAMA = ["advise", "--model", "llama-3.1-8b", "--gpu", "h200", "--rate", "10", "--lengths", "64/16"]
SMALL = ["--requests", "20", "--seeds", "3"]


def test_an_answer_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LLAMA, *SMALL, "--attention", "FA2"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(
        "Simulated, not measured: llama-3.1-8b on 1 x h200, FA2, CUDA graphs default, chunked prefill"
    )
    assert "fa2.rereads" in out


def test_an_answer_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*LLAMA, *SMALL, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["evidence"] == "simulated"
    assert found["rate_req_s"] == 10


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--rate", "5", "--gpu", "h200", "--lengths", "9/9"], "--model: not given; there are qwen3.5-9b"),
        (
            ["--rate", "5", "--model", "llama-3.1-8b", "--lengths", "9/9"],
            "--gpu: not given; there are a100-40gb",
        ),
        (
            ["--rate", "5", "--model", "llama-3.1-8b", "--gpu", "h200"],
            "--lengths: not given. There are: PROMPT/OUTPUT",
        ),
        ([*LLAMA[1:], "--engine", "eager"], "--engine eager: goes with --cells FOLDER"),
        (["--rate", "5", "--cells", "nowhere"], "--cells nowhere: is no folder"),
        (["--rate", "5", "--cells", ".", "--gpu", "h200"], "--gpu h200: is what the measured cells ran with"),
        ([*LLAMA[1:], "--burstiness", "1", "-2"], "--burstiness 1 -2: both must be above 0"),
        ([*LLAMA[1:], "--burstiness", "0.1", "1"], "--burstiness 0.1 1: the second must be the burstier one"),
        ([*LLAMA[1:], "--burstiness", "1", "1"], "--burstiness 1 1: the second must be the burstier one"),
    ],
)
def test_mistakes_are_told_with_what_is_known(
    arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["advise", *arguments]) == 1
    assert told in capsys.readouterr().err
