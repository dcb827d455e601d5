"""What a router does to bursts: claims B16 and B19 and the published runs of sticky routing, simulated.

    python benchmarks/simulator_routing.py [--seeds 10] [--what-if fla.share=0.05]

Qwen3.5-9B on two GH200, each with a whole model, vLLM up to 0.22.1 (mixed iterations dear) and from 0.23 on (not), prompts and
outputs of 128 tokens, gamma arrivals with b = 0.5, 2000 requests. Roofline, no constant fitted to anything published. The
source does not name the numbers of its sticky router: here up to 8 requests, each within 20 ms of the one before, stay
together. Printed are the means over seeds, and the change against round robin with the 95% interval over paired seeds. All
is simulated but the line that says otherwise.
"""

import argparse
from collections.abc import Callable

import numpy as np
from what_if import add_what_if, what_if

from burstlab.arrivals.gamma import planned_send_s
from burstlab.simulator.clock import PS_PER_MS, ps_from_ms
from burstlab.simulator.costs.roofline.capacity import kv_tokens
from burstlab.simulator.costs.roofline.constants import constant
from burstlab.simulator.costs.roofline.costs import RooflineCosts
from burstlab.simulator.costs.roofline.models import model
from burstlab.simulator.loop import Delays
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import requests
from burstlab.simulator.routing.random_choice import RandomChoice
from burstlab.simulator.routing.replicas import simulate_replicas
from burstlab.simulator.routing.round_robin import RoundRobin
from burstlab.simulator.routing.router import Router
from burstlab.simulator.routing.shortest_queue import ShortestQueue
from burstlab.simulator.routing.sticky import Sticky
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import requests_table
from burstlab.statistics.relative_change import relative_change

REQUESTS, TOKENS, BURSTINESS, REPLICAS = 2000, 128, 0.5, 2
LIMITS = (8192, 1024)
BLOCK_TOKENS = 16
TOGETHER, WITHIN_PS = 8, 20 * PS_PER_MS
ROUTERS: dict[str, Callable[[int], Router]] = {
    "round robin": lambda _: RoundRobin(),
    "random": RandomChoice,
    "shortest queue": lambda _: ShortestQueue(),
    "sticky round robin": lambda _: Sticky(RoundRobin(), TOGETHER, WITHIN_PS),
    "sticky shortest queue": lambda _: Sticky(ShortestQueue(), TOGETHER, WITHIN_PS),
}
METRICS = ("mean TTFT", "mean TPOT", "p99 TPOT", "mean E2EL")


def metrics_ms(gdn: str, rate_per_s: float, router: Router, seed: int) -> list[float]:
    """Of all requests of both replicas."""
    costs = RooflineCosts("qwen3.5-9b", "gh200", attention="FA3", gdn=gdn)
    blocks = kv_tokens(model("qwen3.5-9b"), "gh200", sequences=LIMITS[1]) // BLOCK_TOKENS
    engines = [(VllmV1(*LIMITS), Paged(blocks, BLOCK_TOKENS)) for _ in range(REPLICAS)]
    sent = requests(planned_send_s(REQUESTS, rate_per_s, BURSTINESS, seed), TOKENS, TOKENS)
    delays = Delays(pause_ps=ps_from_ms(constant("pause.iteration")))
    found = simulate_replicas(sent, router, engines, costs, delays, log_iterations=False)
    tables = [requests_table(run) for run in found.runs]
    ttft, tpot, e2el = (
        np.concatenate([table[f"{name}_ms"].to_numpy() for table in tables])
        for name in ("ttft", "tpot", "e2el")
    )
    return [float(ttft.mean()), float(tpot.mean()), float(np.percentile(tpot, 99)), float(e2el.mean())]


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=10)
    add_what_if(parser)
    arguments = parser.parse_args()
    what_if(arguments.what_if)
    print(
        "published, 80 requests/s: round robin 102.8, 26.6, 37.3, 3478 ms; shortest queue 93.1, 20.9, 26.1, 2746 ms"
    )
    for gdn in ("whole", "peeled"):
        for rate_per_s in (80, 120, 130, 140, 150):
            print(
                f"\nGated DeltaNet {gdn}, {rate_per_s} requests/s\n| router | {' | '.join(METRICS)} |\n|---|{'---|' * 4}"
            )
            show(gdn, rate_per_s, arguments.seeds)


def show(gdn: str, rate_per_s: float, seeds: int) -> None:
    """A row a router."""
    first: list[dict[int, float]] = []
    for name, router in ROUTERS.items():
        rows = [metrics_ms(gdn, rate_per_s, router(seed), seed) for seed in range(seeds)]
        columns = [dict(enumerate(column)) for column in zip(*rows, strict=True)]
        first = first or columns
        texts = [f"{np.mean(list(column.values())):.1f} ms" for column in columns]
        if columns is not first:
            changes = [relative_change(before, after) for before, after in zip(first, columns, strict=True)]
            texts = [
                text
                if change is None
                else f"{text}, {change.estimate:+.0%} ({change.low:+.0%} to {change.high:+.0%})"
                for text, change in zip(texts, changes, strict=True)
            ]
        print(f"| {name} | {' | '.join(texts)} |")


if __name__ == "__main__":
    main()
