"""Prompts and arrivals are planned before an engine starts, so that what cannot work does not cost its start."""

from pathlib import Path
from typing import Any

import pytest

from burstlab.datasets.prepare import prepare
from burstlab.errors import BurstlabError
from burstlab.session.places import Places
from burstlab.session.preflight import check_requests
from burstlab.study.expand import cells
from burstlab.study.load import load_study
from burstlab.study.schema import Study

TRACE = {"source": "azure-trace", "path": "in.csv"}


def study_of(root: Path, requests: int) -> Study:
    (root / "lock.txt").write_text("vllm==0.33.0\n")
    (root / "in.csv").write_text(
        "TIMESTAMP,ContextTokens,GeneratedTokens\n"
        + "".join(f"2023-11-16 18:15:4{second}.0000000,10,2\n" for second in (0, 1, 3, 7))
    )
    config: dict[str, Any] = {
        "name": "small",
        "platforms": {"cpu": {"kind": "cpu"}},
        "environments": {"vllm": {"lock": "lock.txt"}},
        "models": {"tiny": {"build": "tiny-gqa"}},
        "engines": {"plain": {"environment": "vllm"}},
        "datasets": {"azure": TRACE},
        "workloads": {
            "w": {"dataset": "random", "requests": requests, "input_tokens": 1, "output_tokens": 1}
        },
        "blocks": [
            {
                "platforms": ["cpu"],
                "models": ["tiny"],
                "engines": ["plain"],
                "workloads": ["w"],
                "rates": [1],
                "traces": ["azure"],
                "seeds": [0, 1],
            }
        ],
    }
    study = load_study(config, [], root)
    folder = Places(resources=root).dataset("azure", study.datasets["azure"])
    prepare("azure", study.datasets["azure"], folder, root=root)
    return study


def test_a_trace_with_one_arrival_more_than_requests_is_enough(tmp_path: Path) -> None:
    study = study_of(tmp_path, requests=3)
    check_requests(study, cells(study), Places(resources=tmp_path))


def test_a_shorter_one_is_named_with_what_needs_it(tmp_path: Path) -> None:
    study = study_of(tmp_path, requests=4)
    with pytest.raises(
        BurstlabError, match=r"datasets\.azure: .* has 4 arrivals, but workloads\.w\.requests = 4 needs 5"
    ):
        check_requests(study, cells(study), Places(resources=tmp_path))


def test_what_is_not_prepared_is_named(tmp_path: Path) -> None:
    study = study_of(tmp_path, requests=3)
    with pytest.raises(BurstlabError, match=r"dataset\.json is missing: the dataset has not been prepared"):
        check_requests(study, cells(study), Places(resources=tmp_path / "elsewhere"))
