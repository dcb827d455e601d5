"""Studies without a measurement, for benchmarks of the workflow around them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
CELLS_A_SESSION = 50
MODELS = 10


def study(number: int) -> dict[str, object]:
    """A configuration of `number` cells: 10 models, as many engines as it takes, 50 cells (one group) each."""
    engines = {f"engine-{index}": index + 1 for index in range(number // CELLS_A_SESSION // MODELS)}
    models = [f"model-{index}" for index in range(MODELS)]
    return {
        "name": "made-up",
        "platforms": {"gpu": {"kind": "cuda"}},
        "environments": {"own": {"python": sys.executable, "vllm_version": "0.33.0"}},
        "models": {name: {"hub": f"someone/{name}"} for name in models},
        "engines": {name: {"environment": "own", "max_sequences": size} for name, size in engines.items()},
        "workloads": {
            "random": {"dataset": "random", "input_tokens": 128, "output_tokens": 32, "requests": 100}
        },
        "blocks": [
            {
                "platforms": ["gpu"],
                "models": models,
                "engines": list(engines),
                "workloads": ["random"],
                "rates": [5, 10, 20, 30, 40],
                "burstiness": [1.0, 0.1],
                "seeds": [0, 1, 2, 3, 4],
            }
        ],
    }


def snakemake(folder: Path, config: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Snakemake on the study in `folder`."""
    command = [
        *(sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile")),
        *("--directory", str(folder), "--configfile", str(config), "--cores", "all"),
    ]
    return subprocess.run([*command, *arguments], capture_output=True, text=True, check=False)
