"""What burstiness changes when an engine is simulated from first principles, at several request rates.

    python benchmarks/simulator_regimes.py [--seeds 3] [--pause-ms 1]

Roofline costs, prompts and outputs of fixed lengths, 1000 requests, vLLM v1 with its default limits for the GPU, and a fixed
pause between iterations, which nobody measured. Printed is what b = 0.1 changes against b = 1: means over seeds. All of it is
simulated.
"""

import argparse
from dataclasses import dataclass

import numpy as np

from burstlab.arrivals.gamma import planned_send_s
from burstlab.records.summary import compute_summary
from burstlab.simulator.clock import PS_PER_S, ps_from_ms
from burstlab.simulator.costs.roofline.capacity import kv_tokens
from burstlab.simulator.costs.roofline.costs import RooflineCosts
from burstlab.simulator.costs.roofline.models import model
from burstlab.simulator.loop import Delays, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import iterations_table, requests_table

REQUESTS = 1000
BLOCK_TOKENS = 16
METRICS = ("mean_tpot_ms", "mean_e2el_ms", "decode_only_token_share", "mean_decode_only_ms", "mean_mixed_ms")


@dataclass(frozen=True)
class Engine:
    """A model on a GPU with its kernel paths, and the lengths that it is sent."""

    model: str
    gpu: str
    attention: str
    gdn: str
    prompt: int
    output: int

    @property
    def limits(self) -> tuple[int, int]:
        """vLLM's default batched tokens and sequences: smaller below 70 GB."""
        return (2048, 256) if self.gpu == "a100-40gb" else (8192, 1024)


ENGINES = (
    Engine("llama-3.1-8b", "h200", "FA2", "peeled", 512, 512),
    Engine("llama-3.1-8b", "h200", "FA3", "peeled", 512, 512),
    Engine("llama-3.1-8b", "a100-40gb", "FA2", "peeled", 512, 512),
    Engine("qwen3.5-9b", "gh200", "FA3", "whole", 512, 256),
    Engine("qwen3.5-9b", "gh200", "FA3", "peeled", 512, 256),
)


def metrics(engine: Engine, rate_per_s: float, burstiness: float, seeds: int, delays: Delays) -> np.ndarray:
    """Means over seeds, shape (metrics,)."""
    costs = RooflineCosts(engine.model, engine.gpu, attention=engine.attention, gdn=engine.gdn)
    tokens = kv_tokens(model(engine.model), engine.gpu, sequences=engine.limits[1])
    rows = []
    for seed in range(seeds):
        sent = requests(planned_send_s(REQUESTS, rate_per_s, burstiness, seed), engine.prompt, engine.output)
        run = simulate(
            sent, VllmV1(*engine.limits), Paged(tokens // BLOCK_TOKENS, BLOCK_TOKENS), costs, delays
        )
        summary = compute_summary(requests_table(run), iterations_table(run), run.end_ps / PS_PER_S)
        rows.append([float(summary[name] or np.nan) for name in METRICS])
    means: np.ndarray = np.mean(rows, axis=0)
    return means


def main() -> None:
    """Print the changes."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--pause-ms", type=float, default=1.0)
    arguments = parser.parse_args()
    delays = Delays(pause_ps=ps_from_ms(arguments.pause_ms))
    for engine in ENGINES:
        print(f"\n{engine}")
        for rate_per_s in (5, 10, 20, 30, 40, 60):
            calm, bursty = (metrics(engine, rate_per_s, b, arguments.seeds, delays) for b in (1.0, 0.1))
            print(
                f"  {rate_per_s:3d}/s  TPOT {calm[0]:6.1f} -> {bursty[0]:6.1f} ms ({bursty[0] / calm[0] - 1:+4.0%})"
                f"  E2EL {bursty[1] / calm[1] - 1:+4.0%}  decode-only {calm[2]:4.0%} -> {bursty[2]:4.0%}"
                f"  at {calm[3]:5.1f} -> {bursty[3]:5.1f} ms  mixed {calm[4]:6.1f} -> {bursty[4]:6.1f} ms"
            )


if __name__ == "__main__":
    main()
