"""A made-up machine, a study to check on it, and what nvidia-smi would print."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from burstlab.doctor.machine import NOT_STARTED, Machine, Output
from burstlab.doctor.subject import Subject
from burstlab.study.expand import cells, sessions
from burstlab.study.load import load_study

GIB = 1024**3

Answers = Mapping[str, Output | str]
"""What programs answer, by the beginning of their command line; a text is the output of one that succeeds."""


class FakeMachine(Machine):
    """Runs nothing: it answers from a table."""

    def __init__(
        self, answers: Answers | None = None, variables: Mapping[str, str] | None = None, **sizes: int
    ) -> None:
        super().__init__(variables or {})
        object.__setattr__(self, "answers", answers or {})
        object.__setattr__(self, "sizes", sizes)
        object.__setattr__(self, "asked", [])

    answers: Answers
    sizes: dict[str, int]
    asked: list[list[str]]

    @property
    def cores(self) -> int:
        return self.sizes.get("cores", 8)

    @property
    def memory_bytes(self) -> int:
        return self.sizes.get("memory_gib", 64) * GIB

    @property
    def available_bytes(self) -> int:
        return self.sizes.get("available_gib", 60) * GIB

    def has(self, program: str) -> bool:
        return any(command.split()[0] == program for command in self.answers)

    def disk(self, path: Path) -> tuple[int, int]:
        return 0, self.sizes.get("disk_gib", 500) * GIB

    def run(self, command: Sequence[str], timeout_s: float) -> Output:
        self.asked.append(list(command))
        line = " ".join(command)
        for start, answer in self.answers.items():
            if line.startswith(start):
                return Output(0, answer) if isinstance(answer, str) else answer
        return Output(NOT_STARTED, "", f"{command[0]}: No such file or directory")


def smi(gpus: str, processes: str = "") -> Answers:
    """A machine's nvidia-smi."""
    return {"nvidia-smi --query-gpu": gpus, "nvidia-smi --query-compute-apps": processes}


H200 = "0, GPU-aaaa-0, NVIDIA H200, 580.82.07, 143771, 1\n"
TWO_H200 = H200 + "1, GPU-aaaa-1, NVIDIA H200, 580.82.07, 143771, 1\n"
A100 = "0, GPU-bbbb-0, NVIDIA A100-SXM4-40GB, 550.127.08, 40960, 4\n"

STUDY: dict[str, Any] = {
    "name": "small",
    "platforms": {"gpu": {"kind": "cuda", "gpus": 1, "gpu_model": "h200"}},
    "environments": {"vllm": {"lock": "lock.txt"}},
    "models": {"llama": {"hub": "meta/llama"}},
    "engines": {"plain": {"environment": "vllm"}},
    "workloads": {"short": {"dataset": "random", "requests": 10, "input_tokens": 8, "output_tokens": 4}},
    "blocks": [
        {
            "platforms": ["gpu"],
            "models": ["llama"],
            "engines": ["plain"],
            "workloads": ["short"],
            "rates": [1],
            "burstiness": [1.0],
            "seeds": [0],
        }
    ],
}

Make = Callable[..., Subject]


@pytest.fixture
def subject(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Make:
    """Makes a subject of the study with sections replaced, on a made-up machine, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "lock.txt").write_text(
        "vllm==0.33.0\nnvidia-cuda-runtime==13.0.96 ; sys_platform != 'darwin'\n"
    )

    def make(machine: FakeMachine | None = None, **sections: Any) -> Subject:
        config = deepcopy(STUDY) | sections
        config["blocks"][0]["platforms"] = list(config["platforms"])
        study = load_study(config, [], tmp_path)
        return Subject(study, sessions(cells(study), study), machine or FakeMachine())

    return make
