"""The null engine sends what it says it sends, and never before it is due."""

import asyncio
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from burstlab.arrivals.gamma import planned_send_s
from burstlab.bench import null_engine
from burstlab.bench.client import Client
from burstlab.bench.requests_table import read_bench, requests_table
from burstlab.engine.guarded import Guarded
from burstlab.engine.server import free_port

LATENCIES = null_engine.Latencies(first_s=0.03, per_prompt_token_s=0.001, interval_s=0.01)


def test_tokens_are_due_at_fixed_times_after_the_request() -> None:
    assert LATENCIES.due_s(prompt_tokens=20, token=0) == pytest.approx(0.05)
    assert LATENCIES.due_s(prompt_tokens=20, token=3) == pytest.approx(0.08)


async def ask(engine: null_engine.NullEngine, *bodies: dict[str, Any]) -> list[str]:
    """The streams that the engine answers over one connection."""
    server = await asyncio.start_server(engine.serve, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
        answers = [
            await http.post("/v1/completions", json=body, headers={"x-request-id": f"r-{number}"})
            for number, body in enumerate(bodies)
        ]
        assert "num_requests_running 0" in (await http.get("/metrics")).text
    server.close()
    await server.wait_closed()
    return [answer.text for answer in answers]


def test_a_stream_has_its_tokens_its_usage_and_its_end() -> None:
    engine = null_engine.NullEngine(null_engine.Latencies(0.0, 0.0, 0.0))
    with asyncio.Runner(loop_factory=null_engine.event_loop) as runner:
        words, ids = runner.run(
            ask(engine, {"prompt": "one two three", "max_tokens": 2}, {"prompt": [5, 6], "max_tokens": 1})
        )
    events = [event.removeprefix("data: ") for event in words.split("\n\n") if event]
    assert [bool(json.loads(event)["choices"]) for event in events[:-1]] == [True, True, False]
    assert json.loads(events[2])["usage"] == {"prompt_tokens": 3, "completion_tokens": 2}
    assert events[-1] == "[DONE]"
    assert '"prompt_tokens": 2' in ids


def test_no_token_leaves_before_it_is_due() -> None:
    engine = null_engine.NullEngine(LATENCIES)
    with asyncio.Runner(loop_factory=null_engine.event_loop) as runner:
        runner.run(ask(engine, {"prompt": "one two", "max_tokens": 4}))
    (stamp,) = engine.stamps
    assert (stamp.request, stamp.prompt_tokens, stamp.output_tokens) == ("r-0", 2, 4)
    assert stamp.first_due_s - stamp.read_s == pytest.approx(0.032)
    assert stamp.last_due_s - stamp.read_s == pytest.approx(0.062)
    assert stamp.first_left_s >= stamp.first_due_s
    assert stamp.last_left_s >= stamp.last_due_s


@pytest.fixture(scope="module")
def client(
    vllm_python: str, engine_settings: dict[str, str], root: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    """A real warm client."""
    log = tmp_path_factory.mktemp("client") / "client.log"
    with Client([vllm_python], {**os.environ, **engine_settings}, log, folder=root) as running:
        yield running


@pytest.mark.engine
@pytest.mark.parametrize("burstiness", [1.0, 0.1])
def test_the_real_client_reports_no_less_than_was_put_in(
    client: Client, tmp_path: Path, burstiness: float
) -> None:
    """How much more it reports is measured by benchmarks/null_engine.py, on a quiet machine."""
    port, stamps = free_port(), tmp_path / "stamps.jsonl"
    command = [sys.executable, null_engine.__file__, str(port), "30", "0", "10", str(stamps)]
    arguments = [
        *("--backend", "vllm", "--base-url", f"http://127.0.0.1:{port}", "--endpoint", "/v1/completions"),
        *("--model", "resources/models/tiny-gqa", "--dataset-name", "random", "--random-input-len", "16"),
        *("--random-output-len", "8", "--num-prompts", "40", "--request-rate", "50", "--seed", "3"),
        *("--burstiness", str(burstiness), "--request-id-prefix", "r-", "--ignore-eos"),
        *("--ready-check-timeout-sec", "5", "--disable-tqdm", "--save-result", "--save-detailed"),
        *("--result-dir", str(tmp_path), "--result-filename", "bench.json"),
    ]
    with Guarded(command, environment=dict(os.environ), log=tmp_path / "null.log"):
        answer = client.run(arguments, planned_send_s=None, timeout_s=120.0)
    plan_s = planned_send_s(40, 50.0, burstiness, 3)
    bench = read_bench(tmp_path / "bench.json")
    table = requests_table(bench, plan_s, answer["first_send_clock_s"])
    assert len(stamps.read_text().splitlines()) >= 40  # and the client's check that the server is there
    assert table["output_tokens"].to_pylist() == [8] * 40
    assert min(table["ttft_ms"].to_pylist()) >= 30.0
    assert min(table["e2el_ms"].to_pylist()) >= 100.0
    released = np.array(answer["released_clock_s"])
    assert released.size == 40
    assert (released - answer["first_send_clock_s"] >= plan_s - 0.002).all()  # vLLM paces by another clock
    assert (np.array(bench.start_times) >= released).all()
