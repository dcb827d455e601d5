"""The warm client runs and saves what `vllm bench serve` would, and replays a trace through vLLM's own generator."""

import asyncio
import gc
import json
import os
import subprocess
import weakref
from collections.abc import AsyncGenerator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from burstlab.bench.client import Client
from burstlab.bench.warm_client import Arrivals, ignore_proxies, settle_heap
from burstlab.engine.server import Server
from burstlab.errors import BurstlabError


@dataclass
class Request:
    """The one field of vLLM's SampleRequest that trace replay sets."""

    timestamp: float | None = None


class Generator:
    """Stands for vLLM's get_request, whose parameters these are, and remembers how it was called."""

    self_timed: bool | None = None

    async def __call__(
        self,
        input_requests: list[Request],
        request_rate: float,
        burstiness: float = 1.0,
        ramp_up_strategy: str | None = None,
        ramp_up_start_rps: int | None = None,
        ramp_up_end_rps: int | None = None,
        self_timed: bool = False,
    ) -> AsyncGenerator[tuple[Request, float], None]:
        self.self_timed = self_timed
        for request in input_requests:
            yield request, request_rate


async def drain(arrivals: Arrivals, requests: list[Request]) -> list[tuple[Request, float]]:
    return [item async for item in arrivals(requests, 5.0, 0.5, None, None, None, False)]


def test_gamma_arrivals_are_left_to_vllm() -> None:
    generator = Generator()
    arrivals = Arrivals(generator)
    sent = asyncio.run(drain(arrivals, [Request(), Request()]))
    assert [request.timestamp for request, _ in sent] == [None, None]
    assert generator.self_timed is False
    assert arrivals.first_send_clock_s is not None


def test_a_replayed_trace_gives_each_request_its_planned_time() -> None:
    generator = Generator()
    arrivals = Arrivals(generator)
    arrivals.planned_send_s = [0.0, 1.5]
    sent = asyncio.run(drain(arrivals, [Request(), Request()]))
    assert [request.timestamp for request, _ in sent] == [0.0, 1.5]
    assert generator.self_timed is True


def test_a_plan_of_another_length_is_an_error() -> None:
    arrivals = Arrivals(Generator())
    arrivals.planned_send_s = [0.0]
    with pytest.raises(ValueError, match=r"longer|shorter"):
        asyncio.run(drain(arrivals, [Request(), Request()]))


class Session:
    """Stands for aiohttp.ClientSession."""

    def __init__(self, base_url: str, trust_env: bool = False) -> None:
        self.base_url = base_url
        self.trust_env = trust_env


def test_no_session_looks_for_proxies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "__init__", Session.__init__)  # put back after the test
    ignore_proxies(Session)
    session = Session("http://127.0.0.1:1", trust_env=True)
    assert session.base_url == "http://127.0.0.1:1"
    assert session.trust_env is False


def test_a_settled_heap_holds_no_garbage_of_frozen_runs() -> None:
    class Held:
        """Lives only in a cycle."""

        itself: object

    held = Held()
    held.itself = held
    gone = weakref.ref(held)
    gc.freeze()
    del held
    gc.collect()
    assert gone() is not None
    try:
        settle_heap()
        assert gone() is None
        assert gc.get_freeze_count() > 0
    finally:
        gc.unfreeze()


def arguments(server: Server, folder: Path, *more: str) -> list[str]:
    return [
        *("--backend", "vllm", "--base-url", server.base_url, "--endpoint", "/v1/completions"),
        *("--model", "resources/models/tiny-gqa"),
        *("--dataset-name", "random", "--random-input-len", "32", "--random-output-len", "8"),
        *("--num-prompts", "12", "--request-rate", "20", "--burstiness", "0.5", "--seed", "3"),
        *("--temperature", "0", "--ignore-eos", "--ready-check-timeout-sec", "0", "--disable-tqdm"),
        *("--save-result", "--save-detailed", "--result-dir", str(folder), "--result-filename", "bench.json"),
        *more,
    ]


@pytest.fixture(scope="module")
def client(
    vllm_python: str, engine_settings: dict[str, str], root: Path, tmp_path_factory: Any
) -> Iterator[Client]:
    log = tmp_path_factory.mktemp("client") / "client.log"
    with Client([vllm_python], {**os.environ, **engine_settings}, log, folder=root) as running:
        running.wait_ready()
        yield running


@pytest.mark.engine
def test_it_saves_what_the_command_line_saves(
    client: Client,
    server: Server,
    vllm_python: str,
    engine_settings: dict[str, str],
    root: Path,
    tmp_path: Path,
) -> None:
    warm, cold = tmp_path / "warm", tmp_path / "cold"
    warm.mkdir()
    cold.mkdir()
    client.run(arguments(server, warm), planned_send_s=None, timeout_s=300)
    command = [vllm_python, "-m", "vllm.entrypoints.cli.main", "bench", "serve", *arguments(server, cold)]
    subprocess.run(command, check=True, cwd=root, env={**os.environ, **engine_settings}, capture_output=True)
    ours = json.loads((warm / "bench.json").read_text())
    theirs = json.loads((cold / "bench.json").read_text())
    assert list(ours) == list(theirs)
    assert ours["completed"] == 12
    same = [
        *("completed", "failed", "request_rate", "burstiness", "num_prompts", "model_id", "tokenizer_id"),
        *(
            "input_lens",
            "output_lens",
            "generated_texts",
            "errors",
            "total_input_tokens",
            "total_output_tokens",
        ),
    ]
    assert {key: ours[key] for key in same} == {key: theirs[key] for key in same}


@pytest.mark.engine
def test_a_benchmark_that_fails_is_an_error_and_the_client_goes_on(
    client: Client, server: Server, tmp_path: Path
) -> None:
    with pytest.raises(BurstlabError, match="vllm bench serve failed"):
        client.run(arguments(server, tmp_path, "--no-such-flag"), planned_send_s=None, timeout_s=300)
    answer = client.run(arguments(server, tmp_path), planned_send_s=None, timeout_s=300)
    assert answer["wall_s"] > 0


@pytest.mark.engine
def test_a_replayed_trace_is_sent_in_the_planned_order_and_pace(
    client: Client, server: Server, tmp_path: Path
) -> None:
    planned_send_s = [0.0, 0.0, 0.0, *(0.5 + 0.05 * step for step in range(9))]
    answer = client.run(arguments(server, tmp_path), planned_send_s=planned_send_s, timeout_s=300)
    saved = json.loads((tmp_path / "bench.json").read_text())
    sent_s = [start - answer["first_send_clock_s"] for start in saved["start_times"]]
    # Never early, whatever the machine's load; the pause in the plan stands between the third and the fourth.
    assert all(sent >= planned - 0.001 for sent, planned in zip(sent_s, planned_send_s, strict=True))
    assert max(sent_s[:3]) < 0.5 <= min(sent_s[3:]) + 0.001
