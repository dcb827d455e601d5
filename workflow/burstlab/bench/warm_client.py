"""`vllm bench serve`, many times in one process; runs in the engine's environment, not in burstlab's.

Importing vLLM takes up to 20 s, a cell often less. This program imports once and then calls what the command line
calls (`add_cli_args`, then `main_async`) for every line of JSON on its standard input::

    {"arguments": ["--backend", "vllm", ...], "planned_send_s": null}

and answers each with one line of JSON on its standard output, `{"error": ...}` or what `run` returns. vLLM writes the result file
itself. Four things differ from the command line, none touches what is sent or saved:

- the clock is read where vLLM starts to count its arrivals and where it lets each request go;
- for trace replay each request is given its planned time, which vLLM's own generator then keeps;
- no request waits for a proxy to be looked up: vLLM's client does so in a thread, for each request and after its clock has
  started, though the engine listens on loopback, which no proxy serves;
- the event loop is uvloop, vLLM's server's own.

The last two keep the client's own time out of TTFT, which at the command line holds more of it the more requests are let go at
once: `benchmarks/null_engine.py` measures both clients.
"""

import argparse
import gc
import json
import os
import platform
import sys
import time
import traceback
from collections.abc import AsyncGenerator
from typing import Any, TextIO


def claim_stdout() -> TextIO:
    """The pipe for answers; whatever vLLM prints goes to the log (standard error) from now on."""
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    return answers


class Arrivals:
    """Stands where vLLM's request generator stood: notes the clock, hands over planned times, and delegates."""

    def __init__(self, generate: Any) -> None:
        self._generate = generate
        self.planned_send_s: list[float] | None = None
        self.first_send_clock_s: float | None = None
        self.released_clock_s: list[float] = []

    async def __call__(self, input_requests: Any, *args: Any, **kwargs: Any) -> AsyncGenerator[Any, None]:
        """Yield what vLLM's `get_request` yields."""
        requests = list(input_requests)
        if self.planned_send_s is not None:
            for request, send_s in zip(requests, self.planned_send_s, strict=True):
                request.timestamp = send_s
            args = (*args[:5], True)
        self.first_send_clock_s = time.perf_counter()
        self.released_clock_s = []
        async for item in self._generate(requests, *args, **kwargs):
            self.released_clock_s.append(time.perf_counter())
            yield item


def parse(arguments: list[str]) -> argparse.Namespace:
    """The namespace that `vllm bench serve` would make of these arguments."""
    from vllm.benchmarks import serve
    from vllm.utils.argparse_utils import FlexibleArgumentParser

    parser = FlexibleArgumentParser(exit_on_error=False)
    serve.add_cli_args(parser)
    parsed: argparse.Namespace = parser.parse_args(arguments)
    return parsed


def run(job: dict[str, Any], arrivals: Arrivals) -> dict[str, Any]:
    """Run one benchmark; vLLM saves its result where the arguments say. Times are seconds on the clock that vLLM reads too."""
    import uvloop
    from vllm.benchmarks import serve

    arrivals.planned_send_s = job["planned_send_s"]
    arrivals.first_send_clock_s = None
    arrivals.released_clock_s = []
    started = time.perf_counter()
    uvloop.run(serve.main_async(parse(job["arguments"])))
    return {
        "first_send_clock_s": arrivals.first_send_clock_s,
        "released_clock_s": arrivals.released_clock_s,
        "wall_s": time.perf_counter() - started,
    }


def ignore_proxies(session: type[Any]) -> None:
    """Have every `aiohttp.ClientSession` made from now on look for no proxies."""
    initialise = session.__init__

    def initialise_direct(self: Any, *args: Any, **kwargs: Any) -> None:
        initialise(self, *args, **{**kwargs, "trust_env": False})

    session.__init__ = initialise_direct


def settle_heap() -> None:
    """Collect what the last benchmark left, and keep collections off the rest: going through vLLM's modules takes 0.3 s.

    vLLM freezes the heap before each benchmark, and with it what only a collection would free: in a process that goes on, a leak.
    """
    gc.unfreeze()
    gc.collect()
    gc.freeze()


def _versions(vllm: str) -> dict[str, str]:
    import torch

    return {"vllm": vllm, "torch": str(torch.__version__), "python": platform.python_version()}


def main() -> None:
    """Answer jobs until standard input closes."""
    answers = claim_stdout()
    import aiohttp
    import vllm
    from vllm.benchmarks import serve

    arrivals = Arrivals(serve.get_request)
    serve.get_request = arrivals
    ignore_proxies(aiohttp.ClientSession)
    settle_heap()
    print(json.dumps({"versions": _versions(vllm.__version__)}), file=answers)
    for line in sys.stdin:
        try:
            answer = run(json.loads(line), arrivals)
        except (Exception, SystemExit) as error:  # noqa: BLE001 - the session decides; the process must go on
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers)
        settle_heap()  # while the session writes the cell's record


if __name__ == "__main__":
    main()
