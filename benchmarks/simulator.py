"""How fast the simulator is, how its cost grows, and where the time goes.

    python benchmarks/simulator.py [--million] [--profile]

The main case is 10,000 requests of 256/256 tokens, at most 128 at once: Poisson arrivals at 10 and 20 requests/s, and gamma
arrivals of CV 3.16 at 20. Costs are a third of DistServe's published fit for OPT-13B, so that the engine keeps up. Timed is all
from the plan of send times to the written table of requests: CPU seconds of this process, which uses one core; the best of three.
`--million` serves a million requests, without a table of iterations. Everything printed is about simulated runs.
"""

import argparse
import cProfile
import pstats
import resource
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from burstlab.arrivals.gamma import planned_send_s
from burstlab.records.parquet import write_parquet
from burstlab.simulator.costs.interface import Line
from burstlab.simulator.loop import Run, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import iterations_table, requests_table

TOKENS = 256
NS = 1000  # picoseconds


@dataclass(frozen=True)
class Third:
    """A third of DistServe's published times of OPT-13B on an A100: 23.48 ms a decode iteration, and so on."""

    def decode(self, decodes: int, context_tokens: int) -> Line:
        first_ps = (7_826_667 + 20_233 * decodes + 198 * context_tokens) * NS
        return Line(first_ps, 198 * NS * decodes)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        return self.decode(decodes, context_tokens).first_ps + 46_833 * NS * sum(
            tokens for tokens, _ in chunks
        )


def run(
    number: int, rate_per_s: float, burstiness: float, sequences: int = 128, iterations: bool = False
) -> Run:
    """One run, its requests written."""
    sent = requests(planned_send_s(number, rate_per_s, burstiness, 0), TOKENS, TOKENS)
    served = simulate(sent, VllmV1(2048, sequences), Paged(10_000), Third(), log_iterations=iterations)
    with tempfile.TemporaryDirectory() as folder:
        write_parquet(Path(folder) / "requests.parquet", requests_table(served))
        if iterations:
            write_parquet(Path(folder) / "iterations.parquet", iterations_table(served))
    return served


def timed(
    number: int, rate_per_s: float, burstiness: float, sequences: int = 128, iterations: bool = False
) -> None:
    """Print how long it takes."""
    taken_s = []
    for _ in range(3 if number <= 100_000 else 1):
        before_s = time.process_time()
        served = run(number, rate_per_s, burstiness, sequences, iterations)
        taken_s.append(time.process_time() - before_s)
    steps = number * TOKENS
    print(
        f"{number:9,d} requests  {rate_per_s:4.0f}/s  b {burstiness:3.1f}  at most {sequences:4d}"
        f"{'  with iterations' if iterations else '':17s}  {min(taken_s):7.3f} s"
        f"  {steps / min(taken_s) / 1e6:6.1f} million token-steps/s"
        f"  served in {served.end_ps / 1e12:8.0f} s"
    )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--million", action="store_true")
    parser.add_argument("--profile", action="store_true")
    arguments = parser.parse_args()
    if arguments.million:
        timed(1_000_000, 20, 1.0)
        peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"largest memory of the process: {peak_mib:.0f} MiB")
        return
    if arguments.profile:
        run(100, 20, 1.0)  # imports what is imported at the first use
        with cProfile.Profile() as profile:
            run(10_000, 20, 1.0)
        pstats.Stats(profile).sort_stats("tottime").print_stats(15)
        return
    for rate_per_s, burstiness in ((10, 1.0), (20, 1.0), (20, 0.1)):
        timed(10_000, rate_per_s, burstiness)
    timed(10_000, 20, 1.0, iterations=True)
    for number in (1_000, 100_000):
        timed(number, 20, 1.0)
    for sequences in (16, 64, 256, 1024):
        timed(10_000, 1000, 1.0, sequences)


if __name__ == "__main__":
    main()
