"""The gates on real cells: a good one, and one spoiled in each way that a real client and a real engine can be."""

import os
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from burstlab.arrivals.gamma import planned_send_s
from burstlab.bench.client import Client
from burstlab.bench.requests_table import read_bench, requests_table
from burstlab.engine.command import server_arguments
from burstlab.engine.counters import counted_between, read_counters
from burstlab.engine.guardian import descendants_of
from burstlab.engine.reported import reported
from burstlab.engine.server import Server, free_port
from burstlab.iterations.log import IterationLog, parse_bytes, parse_log
from burstlab.records.observed import Observed
from burstlab.records.schema import Gate, LogLines
from burstlab.study.cells import Arrivals, Cell
from burstlab.study.schema import Study
from burstlab.validity.evidence import Evidence
from burstlab.validity.judge import judge

pytestmark = pytest.mark.engine

MODEL = "resources/models/tiny-gqa"
# What other tests and programs of this machine do at the time is no fault of the cell under test.
OF_THE_MACHINE = {
    "cores-to-itself",
    "no-steal",
    "client-punctual",
    "rate-delivered",
    "bursts-delivered",
    "no-drift",
}


@dataclass
class Bench:
    """A real client on a real engine."""

    client: Client
    server: Server
    study: Study
    folder: Path

    def measure(
        self,
        *,
        rate: float,
        burstiness: float = 1.0,
        requests: int = 30,
        seed: int = 0,
        prompt_tokens: int = 64,
    ) -> Evidence:
        """One cell, as a session would measure it."""
        cell = Cell("cpu", "tiny-gqa", "eager", "random", rate, Arrivals.gamma(burstiness), seed)
        start = self.server.wait_idle()
        before = read_counters(self.server.metrics())
        answer = self.client.run(
            self._arguments(cell, requests, prompt_tokens), planned_send_s=None, timeout_s=300.0
        )
        end = self.server.wait_idle()
        counted = counted_between(before, read_counters(self.server.metrics()))
        log = parse_log(self.server.log, start, end)
        bench = read_bench(self.folder / "bench.json")
        plan_s = planned_send_s(requests, rate, burstiness, seed)
        return Evidence(
            cell=cell,
            evidence="measured",
            specification={
                "platform": {"kind": "cpu"},
                "model": {"dtype": "float32"},
                "engine": self.study.engines["eager"].model_dump(mode="json", exclude_none=True),
                "workload": {"requests": requests, "output_tokens": 16, "range_ratio": 0.0},
            },
            engine_reported=reported(self.server.log),
            log_lines=_lines(log),
            observed=Observed(engine=counted),
            requests=requests_table(bench, plan_s, answer["first_send_clock_s"]),
            iterations=log.table,
        )

    def _arguments(self, cell: Cell, requests: int, prompt_tokens: int) -> list[str]:
        return [
            *("--backend", "vllm", "--base-url", self.server.base_url, "--endpoint", "/v1/completions"),
            *("--model", MODEL, "--dataset-name", "random", "--random-input-len", str(prompt_tokens)),
            *("--random-output-len", "16", "--num-prompts", str(requests), "--ignore-eos"),
            *("--request-rate", str(cell.rate), "--burstiness", str(cell.arrivals.burstiness)),
            *("--seed", str(cell.seed), "--temperature", "0", "--ready-check-timeout-sec", "0"),
            *("--disable-tqdm", "--save-result", "--save-detailed"),
            *("--result-dir", str(self.folder), "--result-filename", "bench.json"),
        ]


def _lines(log: IterationLog) -> LogLines:
    return LogLines(unparsed=log.unparsed_lines, dummy=log.dummy_lines, idle=log.idle_lines)


def verdict(evidence: Evidence, name: str) -> Gate:
    (found,) = [gate for gate in judge(evidence) if gate.name == name]
    return found


@pytest.fixture(scope="module")
def client(
    vllm_python: str, engine_settings: dict[str, str], root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    log = tmp_path_factory.mktemp("client") / "client.log"
    with Client([vllm_python], {**os.environ, **engine_settings}, log, folder=root) as running:
        running.wait_ready()
        yield running


@pytest.fixture(scope="module")
def bench(
    client: Client, server: Server, default_study: Study, tmp_path_factory: pytest.TempPathFactory
) -> Bench:
    found = Bench(client, server, default_study, tmp_path_factory.mktemp("bench"))
    found.measure(rate=50.0, requests=10, seed=99)  # warms both
    return found


@pytest.fixture(scope="module")
def good(bench: Bench) -> Evidence:
    """A cell far below capacity."""
    return bench.measure(rate=4.0)


def test_a_good_cell_passes(good: Evidence) -> None:
    gates = [gate for gate in judge(good) if gate.name not in OF_THE_MACHINE]
    assert [gate.message for gate in gates if gate.state == "failed"] == []
    assert {gate.name for gate in gates if gate.state == "passed"} >= {
        "requests-succeeded",
        "outputs-full-length",
        "plan-as-nominal",
        "graph-mode",
        "scheduler",
        "chunked-prefill",
        "batch-limits",
        "number-format",
        "async-scheduling-off",
        "prefix-cache-unused",
        "few-preemptions",
        "log-complete",
        "tokens-agree",
        "steady",
    }


def test_a_client_that_stood_still_is_not_punctual(bench: Bench, good: Evidence) -> None:
    pid = bench.client._process.pid
    stop = threading.Event()

    def hold_still() -> None:
        for number in (signal.SIGSTOP, signal.SIGCONT):
            stop.wait(3.0)
            for one in descendants_of(pid):
                os.kill(one, number)

    holding = threading.Thread(target=hold_still)
    holding.start()
    try:
        slowed = bench.measure(rate=4.0)
    finally:
        holding.join()
    assert verdict(slowed, "client-punctual").state == "failed"


def test_an_overloaded_engine_is_not_steady(bench: Bench) -> None:
    overloaded = bench.measure(rate=40.0, requests=100, prompt_tokens=256)
    assert verdict(overloaded, "steady").state == "failed"


def test_an_engine_that_used_another_graph_mode_is_told(good: Evidence) -> None:
    engine = {**good.specification["engine"], "cuda_graphs": "piecewise"}
    asked = replace(good, specification={**good.specification, "engine": engine})
    assert verdict(asked, "graph-mode").state == "failed"


def test_a_truncated_log_is_not_complete(bench: Bench, good: Evidence) -> None:
    data = bench.server.log.read_bytes()
    whole = parse_bytes(data[: data.rindex(b"\n") + 1])
    last = data.rindex(b"Iteration(")
    cut = parse_bytes(data[: last + 40] + b"\n")
    assert whole.unparsed_lines == 0
    assert verdict(replace(good, log_lines=_lines(cut)), "log-complete").state == "failed"
    missing = good.iterations.slice(0, good.iterations.num_rows - 1)
    assert verdict(replace(good, iterations=missing), "log-complete").state == "failed"


def test_a_warm_prefix_cache_is_told(
    client: Client,
    vllm_python: str,
    engine_settings: dict[str, str],
    default_study: Study,
    root: Path,
    tmp_path: Path,
) -> None:
    """An engine whose prefix caching a stray argument left on; the same seed twice, as a study does for its burstiness arms.

    Only whole blocks are cached, and a CPU's have 128 tokens, so prompts are longer than that.
    """
    port = free_port()
    arguments = server_arguments(
        default_study.engines["eager"],
        default_study.models["tiny-gqa"],
        [MODEL, "--load-format", "dummy"],
        port,
    )
    command = [vllm_python, "-m", "vllm.entrypoints.cli.main", "serve", *arguments, "--enable-prefix-caching"]
    with Server(
        command,
        port=port,
        environment={**os.environ, **engine_settings},
        log=tmp_path / "engine.log",
        folder=root,
    ) as server:
        server.wait_healthy(900)
        bench = Bench(client, server, default_study, tmp_path)
        cold, warm = (bench.measure(rate=10.0, requests=8, seed=5, prompt_tokens=300) for _ in range(2))
    assert verdict(cold, "prefix-cache-unused").state == "passed"
    assert verdict(warm, "prefix-cache-unused").state == "failed"
