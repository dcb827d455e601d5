"""A server with exactly known latencies, to test the measuring chain itself: what comes out must be what was put in.

It speaks as much of the OpenAI completions API as `vllm bench serve` needs, and computes nothing. Run as a program, with
any Python (standard library only)::

    python null_engine.py PORT FIRST_MS PER_PROMPT_TOKEN_MS INTERVAL_MS STAMPS

A request's first token leaves FIRST_MS + PER_PROMPT_TOKEN_MS × prompt tokens after the request has been read, each further
one INTERVAL_MS after the one before. Tokens are due at absolute times, so a late one delays no other. A prompt has as many
tokens as it has words, and the usage that ends the stream says so. When the server ends (SIGTERM) it writes to STAMPS, a
line of JSON a request, when it was read and when its first and last token were due and left, in seconds of the monotonic
clock, which is the same in all processes of a machine: `time.perf_counter` of vLLM's client reads it too.
"""

from __future__ import annotations

import asyncio
import json
import selectors
import signal
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

_DONE = b"data: [DONE]\n\n"
_IDLE_METRICS = b"vllm:num_requests_running 0.0\nvllm:num_requests_waiting 0.0\n"


@dataclass(frozen=True)
class Latencies:
    """What every request meets, in seconds."""

    first_s: float
    per_prompt_token_s: float
    interval_s: float

    def due_s(self, prompt_tokens: int, token: int) -> float:
        """When token number `token` (from 0) is due, in seconds after the request was read."""
        return self.first_s + self.per_prompt_token_s * prompt_tokens + self.interval_s * token


@dataclass(frozen=True)
class Stamp:
    """One request on the server's clock, in seconds; `request` is the client's name for it."""

    request: str
    prompt_tokens: int
    output_tokens: int
    read_s: float
    first_due_s: float
    first_left_s: float
    last_due_s: float
    last_left_s: float


class NullEngine:
    """Serves requests and remembers what it did."""

    def __init__(self, latencies: Latencies) -> None:
        self._latencies = latencies
        self.stamps: list[Stamp] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while True:
                start, headers = _parse_head(await reader.readuntil(b"\r\n\r\n"))
                body = await reader.readexactly(int(headers.get("content-length", "0")))
                read_s = time.perf_counter()
                if start.startswith("POST /v1/completions "):
                    await self._complete(json.loads(body), headers.get("x-request-id", ""), read_s, writer)
                else:
                    _answer(writer, _IDLE_METRICS if start.startswith("GET /metrics ") else b"")
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client closed the connection
        finally:
            writer.close()

    async def _complete(
        self, body: dict[str, Any], request: str, read_s: float, writer: asyncio.StreamWriter
    ) -> None:
        prompt = body["prompt"]
        prompt_tokens = len(prompt.split() if isinstance(prompt, str) else prompt)
        output_tokens = int(body["max_tokens"])
        writer.write(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
        )
        left_s: list[float] = []
        for token in range(output_tokens):
            await _sleep_until(read_s + self._latencies.due_s(prompt_tokens, token))
            _chunk(writer, _event({"choices": [{"index": 0, "text": " a"}]}))
            left_s.append(time.perf_counter())
        usage = {"prompt_tokens": prompt_tokens, "completion_tokens": output_tokens}
        _chunk(writer, _event({"choices": [], "usage": usage}) + _DONE)
        writer.write(b"0\r\n\r\n")
        first_s, last_s = (self._latencies.due_s(prompt_tokens, token) for token in (0, output_tokens - 1))
        self.stamps.append(
            Stamp(
                request=request,
                prompt_tokens=prompt_tokens,
                output_tokens=output_tokens,
                read_s=read_s,
                first_due_s=read_s + first_s,
                first_left_s=left_s[0],
                last_due_s=read_s + last_s,
                last_left_s=left_s[-1],
            )
        )


def _parse_head(head: bytes) -> tuple[str, dict[str, str]]:
    start, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines if line)
    return start, {name.strip().lower(): value.strip() for name, _, value in pairs}


def _answer(writer: asyncio.StreamWriter, body: bytes) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n%b" % (len(body), body))


def _event(data: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(data).encode() + b"\n\n"


def _chunk(writer: asyncio.StreamWriter, data: bytes) -> None:
    writer.write(b"%x\r\n%b\r\n" % (len(data), data))


async def _sleep_until(clock_s: float) -> None:
    wait_s = clock_s - time.perf_counter()
    if wait_s > 0:
        await asyncio.sleep(wait_s)


def event_loop() -> asyncio.AbstractEventLoop:
    """A loop that wakes in time: epoll, the usual selector, rounds waits up to whole milliseconds, select does not."""
    return asyncio.SelectorEventLoop(selectors.SelectSelector())


async def run(port: int, latencies: Latencies, stamps: Path) -> None:
    """Serve on loopback until SIGTERM, then write the stamps."""
    engine = NullEngine(latencies)
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    server = await asyncio.start_server(engine.serve, "127.0.0.1", port)
    await stop.wait()
    server.close()
    stamps.write_text("".join(json.dumps(asdict(stamp)) + "\n" for stamp in engine.stamps))


def main(argv: list[str]) -> None:
    """Run as a program."""
    first_ms, per_prompt_token_ms, interval_ms = map(float, argv[1:4])
    latencies = Latencies(first_ms / 1000, per_prompt_token_ms / 1000, interval_ms / 1000)
    with asyncio.Runner(loop_factory=event_loop) as runner:
        runner.run(run(int(argv[0]), latencies, Path(argv[4])))


if __name__ == "__main__":
    main(sys.argv[1:])
