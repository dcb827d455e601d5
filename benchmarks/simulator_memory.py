"""How much memory for keys and values is wasted by allocators that were used before paging, against what was published.

    python benchmarks/simulator_memory.py [--seeds 5]

OPT-13B on an A100-40GB, as PagedAttention (SOSP 2023) has it: 15.7 thousand slots of a token, at most 2048 tokens a sequence,
and prompts and outputs as long as ShareGPT's are (a synthetic stand-in: datasets/synthetic_sharegpt.py). More requests are there
than fit, so memory is what limits. An iteration takes a fixed time and a prompt's token a fixed one more: the shares of memory do
not depend on it much. Printed are means over seeds with their 95% interval, simulated, and the figure that claim S6 quotes.
"""
# ruff: noqa: ARG002 - the arguments are those of `Costs`

import argparse
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from burstlab.datasets.synthetic_sharegpt import OUTPUTS, PROMPTS
from burstlab.simulator.clock import PS_PER_MS, PS_PER_US
from burstlab.simulator.costs.interface import Line
from burstlab.simulator.loop import simulate
from burstlab.simulator.memory.buddy import Buddy
from burstlab.simulator.memory.contiguous import Contiguous
from burstlab.simulator.memory.first_fit import FirstFit
from burstlab.simulator.memory.fragmentation import Shares, Watched
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.memory.placement import Placement
from burstlab.simulator.memory.reservations import Reservation, longest, oracle, power_of_two
from burstlab.simulator.requests import Requests, requests
from burstlab.simulator.scheduling.orca import Orca
from burstlab.simulator.scheduling.vllm_v0 import VllmV0
from burstlab.statistics.student import mean_interval

SLOTS, LONGEST, BLOCK = 15_700, 2048, 16
REQUESTS, RATE_PER_S = 500, 50.0
PARTS = ("used", "reserved", "internal", "external")
PUBLISHED = {
    "Orca (Max)": (20.4, 13.3, 57.3, 8.9),
    "Orca (Pow2)": (26.8, 17.9, 13.6, 41.6),
    "Orca (Oracle)": (38.2, 25.2, 0.0, 36.6),
    "vLLM": (96.3, None, None, None),
}


class Fixed:
    """20 ms an iteration, and 100 µs more for each token of a prompt."""

    def decode(self, decodes: int, context_tokens: int) -> Line:
        return Line(20 * PS_PER_MS, 0)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        return 20 * PS_PER_MS + 100 * PS_PER_US * sum(now for now, _ in chunks)


def reserved(reservation: Reservation, placement: Callable[[int], Placement], seed: int) -> Shares:
    """Orca with memory in one piece."""
    memory = Contiguous(reservation, placement(SLOTS))
    watched = Watched(Orca(1000), SLOTS, lambda: memory.held)
    simulate(sent(seed), watched, memory, Fixed())
    return known(watched)


def paged(seed: int) -> Shares:
    """vLLM as it was then."""
    memory = Paged(SLOTS // BLOCK, BLOCK)
    watched = Watched(VllmV0(2560, 256), SLOTS, lambda: BLOCK * (memory.blocks - memory.free))
    simulate(sent(seed), watched, memory, Fixed())
    return known(watched)


def sent(seed: int) -> Requests:
    """Requests that come faster than they are served."""
    rng = np.random.default_rng(seed)
    lengths = [each.draw(rng, REQUESTS, 1.0, 1024) for each in (PROMPTS, OUTPUTS)]
    return requests(np.cumsum(rng.exponential(1 / RATE_PER_S, REQUESTS)), *lengths)


def known(watched: Watched) -> Shares:
    """What was seen."""
    shares = watched.shares()
    assert shares is not None, "nobody ever had to wait"
    return shares


def main() -> None:
    """Print the shares."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=5)
    seeds = range(parser.parse_args().seeds)
    runs: dict[str, Callable[[int], Shares]] = {"vLLM": paged}
    for place, placement in (("buddy", Buddy), ("first fit", FirstFit)):
        for name, reservation in (("Max", longest(LONGEST)), ("Pow2", power_of_two), ("Oracle", oracle)):
            runs[f"Orca ({name}), {place}"] = partial(reserved, reservation, placement)
    print(f"| allocator | {' | '.join(PARTS)} |\n|---|{'---|' * len(PARTS)}")
    for name, run in runs.items():
        found = [run(seed) for seed in seeds]
        published = PUBLISHED[name.split(",")[0]]
        texts = []
        for part, value in zip(PARTS, published, strict=True):
            interval = mean_interval([100 * getattr(shares, part) for shares in found])
            assert interval is not None
            texts.append(
                f"{interval.estimate:.1f}% ({interval.low:.1f} to {interval.high:.1f})"
                + ("" if value is None else f"; published {value:.1f}%")
            )
        print(f"| {name} | {' | '.join(texts)} |")


if __name__ == "__main__":
    main()
