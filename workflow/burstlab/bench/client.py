"""The session's side of the warm benchmark client."""

import json
import select
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from burstlab.bench import warm_client
from burstlab.engine.guarded import Guarded
from burstlab.engine.log_tail import last_lines
from burstlab.errors import BurstlabError

START_TIMEOUT_S = 600.0


class Client:
    """A running warm client. Use as a context manager; `run` measures one benchmark."""

    def __init__(
        self, python: Sequence[str], environment: Mapping[str, str], log: Path, folder: Path | None = None
    ) -> None:
        self._log = log
        self._buffer = b""
        self._process = Guarded(
            [*python, warm_client.__file__], environment=environment, log=log, pipes=True, folder=folder
        )
        self.versions: dict[str, str] = {}
        """Of vllm, torch and python in the engine's environment, once it is ready."""

    def wait_ready(self) -> None:
        """Block until the client has imported vLLM."""
        if not self.versions:
            self.versions = dict(self._answer(START_TIMEOUT_S)["versions"])

    def run(
        self, arguments: Sequence[str], *, planned_send_s: Sequence[float] | None, timeout_s: float
    ) -> dict[str, Any]:
        """Run `vllm bench serve` with `arguments`; returns `first_send_clock_s`, `released_clock_s` (one a request), `wall_s`.

        `planned_send_s` (one per request, seconds from the start) replays a trace; None leaves arrivals to vLLM.
        Raises BurstlabError when the benchmark fails, the client dies or `timeout_s` passes.
        """
        self.wait_ready()
        job = {"arguments": list(arguments), "planned_send_s": planned_send_s}
        try:
            self._process.stdin.write(json.dumps(job).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            raise self._died() from None
        answer = self._answer(timeout_s)
        if "error" in answer:
            raise BurstlabError(f"vllm bench serve failed: {answer['error']} (log: {self._log})")
        return answer

    def _answer(self, timeout_s: float) -> dict[str, Any]:
        deadline = time.monotonic() + timeout_s
        stream = self._process.stdout
        while b"\n" not in self._buffer:
            ready, _, _ = select.select([stream], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                # A late answer would be taken for the next benchmark's.
                self.stop()
                raise BurstlabError(
                    f"the benchmark client gave no answer within {timeout_s:.0f} s (log: {self._log})"
                )
            chunk = stream.read1(65536)  # type: ignore[attr-defined]  # Popen's pipes are buffered readers
            if not chunk:
                raise self._died()
            self._buffer += chunk
        line, _, self._buffer = self._buffer.partition(b"\n")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def _died(self) -> BurstlabError:
        return BurstlabError(
            f"the benchmark client ended. Its last lines ({self._log}):\n{last_lines(self._log)}"
        )

    def alive(self) -> bool:
        """Whether the process still runs."""
        return self._process.exit_status() is None

    def stop(self) -> None:
        """End the client."""
        self._process.stop()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
