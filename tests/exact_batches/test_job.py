"""The workflow's job, with a program in place of vLLM."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from burstlab.exact_batches.job import time_from_workflow

# Answers as `inside.py` does: each step takes a ms for each request of it.
STAND_IN = """
import json, sys
job = json.loads(open(sys.argv[2]).read())
timed = [[{"forward": float(sum(map(len, step)))} for step in steps] for steps in job["repetitions"][:8]]
answer = {"vllm": "0.32.0", "torch": "2", "threads": 1, "layers": {}, "timed": timed}
open(sys.argv[3], "w").write(json.dumps(answer))
"""


@pytest.fixture
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BURSTLAB_LEASES", str(tmp_path / "leases"))
    (tmp_path / "vllm.py").write_text(STAND_IN)
    python = tmp_path / "python"
    python.write_text(f'#!/bin/sh\nexec {sys.executable} {tmp_path / "vllm.py"} "$@"\n')
    python.chmod(0o755)
    (tmp_path / "model").mkdir()
    (tmp_path / "model/config.json").write_text("{}")
    return {
        "name": "tried",
        "platforms": {"cpu": {"kind": "cpu"}},
        "environments": {"v": {"python": str(python)}},
        "models": {"m": {"path": str(tmp_path / "model")}},
        "engines": {"e": {"environment": "v"}},
        "workloads": {"w": {"dataset": "random", "requests": 2, "input_tokens": 8, "output_tokens": 4}},
        "blocks": [
            {
                "platforms": ["cpu"],
                "models": ["m"],
                "engines": ["e"],
                "workloads": ["w"],
                "rates": [1],
                "burstiness": [1.0],
                "seeds": [0],
            }
        ],
    }


def run(config: dict[str, Any]) -> dict[str, Any]:
    time_from_workflow(
        config=config,
        names=("cpu", "m", "e"),
        output=Path("times.json"),
        log=Path("logs/log"),
        workflow_pid=os.getpid(),
    )
    found: dict[str, Any] = json.loads(Path("times.json").read_text())
    return found


@pytest.fixture(autouse=True)
def no_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    """The tests' own process keeps its signals, and ends with nothing."""
    for name in ("end_with", "leave_on_signals"):
        monkeypatch.setattr(f"burstlab.exact_batches.job.{name}", lambda *_: None)


def test_every_step_has_its_time_and_its_repetition(config: dict[str, Any]) -> None:
    found = run(config)
    assert (found["evidence"], found["by"], found["vllm"], found["threads"]) == (
        "measured",
        "model runner",
        "0.32.0",
        1,
    )
    by_arm = {(row["shape"], row["arm"]): row["ms"] for row in found["rows"]}
    # 8 decodes and a chunk, in one call and in two; 16 of the other shape.
    assert [by_arm[0, arm] for arm in ("decode", "chunk", "mixed", "split", "padded")] == [8, 1, 9, 9, 8]
    assert by_arm[1, "mixed"] == 17
    assert {row["repetition"] for row in found["rows"]} == set(range(8))
    assert 0 <= found["others_share"] <= 1


def test_limits_that_allow_no_batch_are_said(config: dict[str, Any]) -> None:
    config["engines"]["e"]["max_sequences"] = 4
    assert run(config)["why"] == "the engine's limits allow none of the batches"


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("import sys; sys.exit('no such model')", "no such model"),
        ("import sys; open(sys.argv[3], 'w').write('[]')", "not what was timed"),
    ],
    ids=["failure", "other-answer"],
)
def test_a_study_goes_on_where_vllm_fails_at_it_and_the_file_says_so(
    config: dict[str, Any], program: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("vllm.py").write_text(program)
    found = run(config)
    assert (found["rows"], found["why"]) == ([], "timing them failed, see logs/log")
    assert said in Path("logs/log").read_text()
    assert (
        "no exact batches: timing them failed, see logs/log; to try again, delete times.json"
        in capsys.readouterr().err
    )


def test_what_cannot_be_tried_ends_in_one_message_and_no_file(config: dict[str, Any]) -> None:
    Path("model/config.json").unlink()
    with pytest.raises(SystemExit, match=r"exact batches of cpu/m/e: .*has no config\.json"):
        run(config)
    assert not Path("times.json").exists()
