"""What the sweep simulates: one engine, one workload, two families of costs. All of it is assumed, and stands here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from burstlab.arrivals.gamma import planned_send_s
from burstlab.simulator.clock import ps_from_ms
from burstlab.simulator.costs.interface import Costs
from burstlab.simulator.costs.roofline.costs import RooflineCosts
from burstlab.simulator.loop import Delays, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.outcome import Outcome, outcome
from burstlab.simulator.regimes.family import Scaled
from burstlab.simulator.requests import requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1

DECODES, PROMPTS = "decodes", "prompts"
FAMILIES = (DECODES, PROMPTS)
"""Which of both the knob makes dearer: decodes beside prompts, or prompts themselves."""


@dataclass(frozen=True)
class Setup:
    """What every point shares. The base of the costs is the roofline of an engine that has no penalty for mixing."""

    model: str = "llama-3.1-8b"
    gpu: str = "h200"
    attention: str = "FA3"
    prompt_tokens: int = 256
    output_tokens: int = 128
    requests: int = 400
    max_batched_tokens: int = 8192
    max_sequences: int = 256
    blocks: int = 50_000
    pause_ms: float = 1.0

    def costs(self, family: str, knob: float) -> Scaled:
        """Of a family, with the knob at this factor."""
        base: Costs = RooflineCosts(self.model, self.gpu, attention=self.attention)
        if family == DECODES:
            return Scaled(base, decode_factor=knob)
        return Scaled(base, prompt_factor=knob)

    def run(self, costs: Costs, rate_per_s: float, burstiness: float, seed: int) -> Outcome:
        """One simulated cell."""
        return self._served(costs, planned_send_s(self.requests, rate_per_s, burstiness, seed))

    def capacity_per_s(self, costs: Costs) -> float:
        """Requests served a second when all are sent at once, as the study defines it for cells."""
        return self._served(costs, np.zeros(self.requests)).served_per_s

    def _served(self, costs: Costs, send_s: np.ndarray) -> Outcome:
        return outcome(
            simulate(
                requests(send_s, self.prompt_tokens, self.output_tokens),
                VllmV1(self.max_batched_tokens, self.max_sequences),
                Paged(self.blocks),
                costs,
                Delays(pause_ps=ps_from_ms(self.pause_ms)),
            )
        )
