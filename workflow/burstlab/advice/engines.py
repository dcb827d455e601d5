"""Engines that can be asked: what serves requests, and what is said of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, Self

from burstlab.simulator.clock import ps_from_ms
from burstlab.simulator.costs.fitted.costs import FittedCosts
from burstlab.simulator.costs.fitted.fit import Fit
from burstlab.simulator.costs.roofline.constants import constant, varied
from burstlab.simulator.loop import Delays, Run, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import Requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.setup import BLOCK_TOKENS, Setup


class Engine(Protocol):
    """Serves requests in simulation."""

    def simulate(self, requests: Requests) -> Run:
        """One run."""

    def words(self) -> str:
        """What it is."""


@dataclass(frozen=True)
class RooflineEngine:
    """Costs from first principles; constants in `factors` are so many times their value."""

    setup: Setup
    factors: Mapping[str, float] = field(default_factory=dict)

    def with_factors(self, factors: Mapping[str, float]) -> Self:
        """The same engine if some constants were others."""
        return type(self)(self.setup, factors)

    def simulate(self, requests: Requests) -> Run:
        """One run."""
        with varied(self.factors):
            return self.setup.simulate(requests)

    def probe(self) -> tuple[int, ...]:
        """A few durations and the pause: constants that change none of them make no iteration longer."""
        with varied(self.factors):
            costs = self.setup.costs()
            return (
                costs.decode(1, 512).first_ps,
                costs.decode(64, 65_536).first_ps,
                costs.mixed(0, 0, [(512, 0)]),
                costs.mixed(2, 2_048, [(64, 0)]),
                costs.mixed(64, 65_536, [(512, 0)]),
                ps_from_ms(constant("pause.iteration")),
            )

    def kv_tokens(self) -> int:
        """Tokens that memory holds."""
        with varied(self.factors):
            return self.setup.kv_tokens()

    def words(self) -> str:
        """What it is."""
        one = self.setup
        gdn = {
            "whole": ", Gated DeltaNet as up to vLLM 0.22.1",
            "peeled": ", Gated DeltaNet as since vLLM 0.23",
        }
        has_gdn = self.setup.costs().model.gdn_layers
        chunked = "chunked prefill" if one.chunked_prefill else "whole prompts"
        return (
            f"{one.model} on {one.tensor_parallel} x {one.gpu}, {one.attention}{gdn[one.gdn] if has_gdn else ''}, CUDA graphs "
            f"{one.graphs}, {chunked}, at most {one.max_batched_tokens} tokens and {one.max_sequences} requests an iteration; "
            "costs by the roofline, fitted to nothing"
        )


@dataclass(frozen=True)
class FittedEngine:
    """Costs and delays fitted to measured cells; `scale` multiplies all durations."""

    name: str
    fit: Fit
    delays: Delays
    policy: VllmV1
    kv_tokens: int
    cells: int
    largest_batch: int
    sum_error: float
    """How far off the sum of durations of cells that were left out is, at most: fitted/measured − 1, its size."""
    typical_error: float
    """The same of a single iteration, the median."""
    scale: float = 1.0

    def simulate(self, requests: Requests) -> Run:
        """One run."""
        scaled = Fit(self.fit.coefficients_ms * self.scale, self.fit.residuals)
        memory = Paged(max(1, self.kv_tokens // BLOCK_TOKENS), BLOCK_TOKENS)
        return simulate(requests, self.policy, memory, FittedCosts(scaled), self.delays)

    def words(self) -> str:
        """What it is."""
        chunked = "chunked prefill" if self.policy.chunked_prefill else "whole prompts"
        return (
            f"{self.name}, {chunked}, at most {self.policy.max_batched_tokens} tokens and {self.policy.max_sequences} "
            f"requests an iteration; costs fitted to {len(self.fit.residuals):,} measured iterations of {self.cells} cells: the "
            f"sum of durations of cells left out is off by up to {self.sum_error:.0%}, a single iteration typically by "
            f"{self.typical_error:.0%}"
        )
