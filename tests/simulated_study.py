"""A small study of simulated cells, which takes no engine and no time."""

from copy import deepcopy
from pathlib import Path
from typing import Any

from burstlab.study.load import load_study
from burstlab.study.schema import Study

CONFIG: dict[str, Any] = {
    "name": "foretold",
    "platforms": {"gh200-simulated": {"kind": "simulated", "gpu_model": "gh200"}},
    "environments": {"old": {"lock": "old.txt"}, "new": {"lock": "new.txt"}},
    "models": {"qwen3.5-9b": {"hub": "Qwen/Qwen3.5-9B"}},
    "engines": {
        "old": {"environment": "old", "max_batched_tokens": 2048, "max_sequences": 64},
        "new": {"environment": "new", "max_batched_tokens": 2048, "max_sequences": 64},
    },
    "datasets": {"synthetic-talk": {"source": "synthetic-burstgpt", "rows": 200}},
    "workloads": {
        "random-64-16": {"dataset": "random", "input_tokens": 64, "output_tokens": 16, "requests": 40},
        "synthetic-talk": {"dataset": "synthetic-talk", "requests": 40},
    },
    "blocks": [
        {
            "platforms": ["gh200-simulated"],
            "models": ["qwen3.5-9b"],
            "engines": ["old", "new"],
            "workloads": ["random-64-16", "synthetic-talk"],
            "rates": [10],
            "burstiness": [1.0, 0.1],
            "seeds": [0, 1, 2],
        }
    ],
}


def simulated_config(**changes: Any) -> dict[str, Any]:
    """The configuration; keywords replace its keys."""
    return {**deepcopy(CONFIG), **changes}


def in_folder(root: Path, config: dict[str, Any] | None = None) -> Study:
    """The study of `config` in `root`, where the locks of both environments are put."""
    (root / "old.txt").write_text("numpy==2.0.0\nvllm==0.22.1 \\\n    --hash=sha256:00\n")
    (root / "new.txt").write_text("vllm==0.33.0\n")
    return load_study(simulated_config() if config is None else config, [], root)
