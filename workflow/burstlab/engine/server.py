"""A running vLLM server: started, waited for, asked whether it is idle, stopped."""

import re
import socket
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import httpx

from burstlab.engine.guarded import Guarded
from burstlab.engine.log_tail import explain
from burstlab.errors import BurstlabError

_POLL_S = 0.25
_SETTLE_S = 0.05
_BUSY = re.compile(r"^vllm:num_requests_(?:running|waiting)(?:\{[^}]*\})? ([0-9.eE+-]+)$", re.MULTILINE)


def free_port() -> int:
    """A TCP port on loopback that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """`vllm serve` under a guardian. Use as a context manager."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        port: int,
        environment: Mapping[str, str],
        log: Path,
        folder: Path | None = None,
    ) -> None:
        self.command = list(command)
        self.log = log
        self.base_url = f"http://127.0.0.1:{port}"
        self.start_s: float | None = None
        self._http = httpx.Client(base_url=self.base_url, timeout=10.0, trust_env=False)
        self._started = time.monotonic()
        self._process = Guarded(command, environment=environment, log=log, folder=folder)

    def wait_healthy(self, timeout_s: float) -> None:
        """Block until the server answers; raises BurstlabError with the engine's own words when it does not."""
        deadline = time.monotonic() + timeout_s
        while True:
            status = self._process.exit_status()
            if status is not None:
                raise BurstlabError(
                    f"the engine did not start (exit status {status}):\n{explain(self.log)}\nlog: {self.log}"
                )
            if self._answers():
                self.start_s = time.monotonic() - self._started
                return
            if time.monotonic() > deadline:
                raise BurstlabError(f"the engine was not ready after {timeout_s:.0f} s; log: {self.log}")
            time.sleep(_POLL_S)

    def _answers(self) -> bool:
        try:
            return self._http.get("/health").status_code == httpx.codes.OK
        except httpx.TransportError:
            return False

    def alive(self) -> bool:
        """Whether the server still runs and answers."""
        return self._process.exit_status() is None and self._answers()

    def died(self) -> BurstlabError:
        """The error that says how the engine ended."""
        return BurstlabError(f"the engine ended while it was measured:\n{explain(self.log)}\nlog: {self.log}")

    def complete(self, model: str, prompt: Sequence[int], output_tokens: int) -> None:
        """Have `output_tokens` generated for one prompt of token ids, and wait for them."""
        body = {
            "model": model,
            "prompt": list(prompt),
            "max_tokens": output_tokens,
            "temperature": 0,
            "ignore_eos": True,
        }
        self._ask("POST", "/v1/completions", json=body, timeout=600.0)

    def busy_requests(self) -> float:
        """Requests running or waiting in the engine, from its metrics."""
        return sum(float(value) for value in _BUSY.findall(self.metrics()))

    def metrics(self) -> str:
        """The engine's metrics in Prometheus' text format."""
        return self._ask("GET", "/metrics").text

    def _ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            return self._http.request(method, path, **options).raise_for_status()
        except httpx.HTTPError as error:
            if not self.alive():
                raise self.died() from None
            raise BurstlabError(f"the engine did not answer {path}: {error}; log: {self.log}") from None

    def wait_idle(self, timeout_s: float = 120.0) -> int:
        """Block until nothing runs or waits and the log has settled; returns the log's length in bytes."""
        deadline = time.monotonic() + timeout_s
        while self.busy_requests() > 0:
            if time.monotonic() > deadline:
                raise BurstlabError(f"the engine still had requests after {timeout_s:.0f} s; log: {self.log}")
            time.sleep(_SETTLE_S)
        length = self.log.stat().st_size
        while True:
            time.sleep(_SETTLE_S)
            previous, length = length, self.log.stat().st_size
            if length == previous:
                return length

    def stop(self) -> None:
        """End the server and every process that it started."""
        self._process.stop()
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
