"""How much of the measuring time is load: a burstlab session against `vllm bench sweep serve`, on the same six cells.

    python benchmarks/session_against_sweep.py [--requests 100] [--rate 10]

Runs both in turn on this machine, tiny-gqa with 128 prompt and 64 output tokens, b in 1.0, 0.5, 0.1, two seeds, and prints for
each the seconds of load (sum of the benchmarks' own durations), the wall time without the engine's start, and their ratio.
Needs the environments that `make study` builds.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[1]
BURSTINESS = (1.0, 0.5, 0.1)
SEEDS = (0, 1)


def study(requests: int, rate: float) -> dict[str, object]:
    """A configuration of the six cells."""
    default = yaml.safe_load((ROOT / "config.yaml").read_text())
    return {
        "name": "benchmark",
        "platforms": {"cpu": default["platforms"]["cpu"]},
        "environments": {"vllm-cpu": default["environments"]["vllm-cpu"]},
        "models": {"tiny-gqa": default["models"]["tiny-gqa"]},
        "engines": {"eager": default["engines"]["eager"]},
        "workloads": {
            "random": {"dataset": "random", "input_tokens": 128, "output_tokens": 64, "requests": requests}
        },
        "blocks": [
            {
                "platforms": ["cpu"],
                "models": ["tiny-gqa"],
                "engines": ["eager"],
                "workloads": ["random"],
                "rates": [rate],
                "burstiness": list(BURSTINESS),
                "seeds": list(SEEDS),
            }
        ],
    }


def working_folder(folder: Path) -> None:
    """Let a study run in `folder` with this checkout's environments and models."""
    for name in (".envs", "envs", "resources"):
        (folder / name).symlink_to(ROOT / name)


def run_session(folder: Path, requests: int, rate: float) -> dict[str, float]:
    """The workflow's own measuring stage."""
    config = folder / "benchmark.yaml"
    config.write_text(yaml.safe_dump(study(requests, rate)))
    command = ["snakemake", "--snakefile", str(ROOT / "Snakefile"), "--directory", str(folder)]
    subprocess.run(
        [
            sys.executable,
            "-m",
            *command,
            "--configfile",
            str(config),
            "--cores",
            "all",
            "results/tables/cells.parquet",
        ],
        check=True,
    )
    (journal,) = folder.glob("logs/sessions/**/session.json")
    figures = json.loads(journal.read_text())
    return {
        "load_s": figures["load_s"],
        "measuring_s": figures["measuring_s"],
    }


def recorded_commands(folder: Path) -> tuple[list[str], list[str], dict[str, str]]:
    """Server and client arguments and variables, as the session recorded them: the sweep gets the same."""
    record = json.loads(next(folder.glob("results/cells/**/cell.json")).read_text())
    commands = record["commands"]
    settings = dict(setting.split("=", 1) for setting in commands["environment"])
    return commands["server"], commands["client"], settings


def run_sweep(
    folder: Path, server: list[str], client: list[str], settings: dict[str, str]
) -> dict[str, float]:
    """`vllm bench sweep serve` over the same cells."""
    python = server[0]
    serve = server[server.index("serve") :]
    dropped = ("--request-rate", "--burstiness", "--seed", "--result-dir", "--result-filename")
    bench = [
        part
        for i, part in enumerate(client)
        if part not in dropped and (i == 0 or client[i - 1] not in dropped)
    ]
    bench = [part for part in bench if part not in ("--save-result", "--save-detailed")]
    rate = client[client.index("--request-rate") + 1]
    cells = [{"request_rate": float(rate), "burstiness": b, "seed": s} for b in BURSTINESS for s in SEEDS]
    (folder / "cells.json").write_text(json.dumps(cells))
    entry = [python, "-m", "vllm.entrypoints.cli.main"]
    command = [
        *entry,
        *("bench", "sweep", "serve"),
        *("--serve-cmd", shlex.join([*entry, *serve])),
        *("--bench-cmd", shlex.join([*entry, "bench", "serve", *bench])),
        *("--bench-params", str(folder / "cells.json")),
        *("--num-runs", "1"),
        *("--output-dir", str(folder / "sweep")),
        # It knows how to reset caches of a server started as `vllm`; prefix caching is off, so there is nothing to reset.
        *("--after-bench-cmd", "true"),
    ]
    measuring_s = seconds_after_the_start([*command, "--show-stdout"], {**os.environ, **settings})
    results = [json.loads(path.read_text()) for path in (folder / "sweep").glob("**/run=0.json")]
    assert len(results) == len(cells), f"the sweep measured {len(results)} of {len(cells)} cells"
    return {"load_s": sum(result["duration"] for result in results), "measuring_s": measuring_s}


def seconds_after_the_start(command: list[str], environment: dict[str, str]) -> float:
    """Wall time of the sweep after its server says that it is up; its output is passed on."""
    up_at = None
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as sweep:
        assert sweep.stdout is not None
        for line in sweep.stdout:
            print(line, end="")
            if up_at is None and "Application startup complete" in line:
                up_at = time.monotonic()
    if sweep.returncode or up_at is None:
        raise SystemExit(
            f"the sweep ended with status {sweep.returncode}, its server up: {up_at is not None}"
        )
    return time.monotonic() - up_at


def main() -> None:
    """Run both and print the ratios."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--requests", type=int, default=100)
    parser.add_argument("--rate", type=float, default=10.0)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        working_folder(folder)
        session = run_session(folder, arguments.requests, arguments.rate)
        sweep = run_sweep(folder, *recorded_commands(folder))
    for name, figures in (("burstlab session", session), ("vllm bench sweep serve", sweep)):
        ratio = figures["load_s"] / figures["measuring_s"]
        print(
            f"{name:>24}: {figures['load_s']:6.1f} s of load in {figures['measuring_s']:6.1f} s = {ratio:.3f}"
        )


if __name__ == "__main__":
    main()
