from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from burstlab.study.load import load_study
from burstlab.study.schema import Study

SMALL: dict[str, Any] = {
    "name": "small",
    "platforms": {"cpu": {"kind": "cpu"}, "gpu": {"kind": "cuda"}},
    "environments": {
        "vllm": {"lock": "lock.txt"},
        "mine": {"python": "/opt/python", "vllm_version": "0.33.0"},
    },
    "models": {"llama": {"hub": "meta/llama", "revision": "abc"}, "local": {"path": "/models/x"}},
    "engines": {"plain": {"environment": "vllm"}, "other": {"environment": "mine"}},
    "datasets": {
        "burst": {"source": "burstgpt", "url": "https://example.org/b.csv", "sha256": "0" * 64},
        "stand-in": {"source": "synthetic-sharegpt"},
        "azure": {"source": "azure-trace", "url": "https://example.org/a.csv"},
    },
    "workloads": {
        "random": {"dataset": "random", "requests": 10, "input_tokens": 8, "output_tokens": 4},
        "talk": {"dataset": "stand-in", "requests": 10},
    },
    "blocks": [
        {
            "platforms": ["cpu"],
            "models": ["llama"],
            "engines": ["plain"],
            "workloads": ["random"],
            "rates": [10],
            "burstiness": [1.0, 0.5],
            "seeds": [0, 1],
        }
    ],
}


@pytest.fixture
def small() -> dict[str, Any]:
    """A small configuration, to be changed at will."""
    return deepcopy(SMALL)


@pytest.fixture
def study_of(tmp_path: Path) -> Callable[[dict[str, Any]], Study]:
    """Loads a configuration whose environment lock is there."""
    (tmp_path / "lock.txt").write_text("vllm==0.33.0\n")
    return lambda config: load_study(config, [], tmp_path)
