"""What is simulated: a model on a GPU with its kernel paths and the limits of its batches; all but the requests."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, Self

from burstlab.errors import BurstlabError
from burstlab.simulator.clock import ps_from_ms
from burstlab.simulator.costs.interface import Costs
from burstlab.simulator.costs.roofline.capacity import kv_tokens
from burstlab.simulator.costs.roofline.constants import CONSTANTS, GPUS, Constant, constant
from burstlab.simulator.costs.roofline.costs import RooflineCosts
from burstlab.simulator.costs.roofline.models import model
from burstlab.simulator.loop import Delays, Run, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import Requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1

PROTOCOL = 1
"""Raise it when the same setup and constants give other results, so that all cells are simulated again."""
PROFILE_PROTOCOL = 1
"""Raise it when the same run gives another profile (profile.py), so that all simulated profiled runs are made again."""
BLOCK_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Setup:
    """`attention`, `gdn` and `graphs` are those of `RooflineCosts`; limits are tokens and requests in an iteration."""

    gpu: str
    model: str
    attention: str
    gdn: str
    graphs: str
    tensor_parallel: int
    chunked_prefill: bool
    max_batched_tokens: int
    max_sequences: int

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        """The setup that `as_values` gave; BurstlabError for any other."""
        if set(values) != set(cls.__slots__):
            raise BurstlabError(f"a setup has {', '.join(cls.__slots__)}; here: {', '.join(sorted(values))}")
        return cls(**values)

    def as_values(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return asdict(self)

    def check(self) -> None:
        """BurstlabError if it cannot be simulated, or if vLLM would refuse it."""
        heads = model(self.model).query_heads
        if heads % self.tensor_parallel:
            raise BurstlabError(
                f"{self.model} has {heads} attention heads, which vLLM does not split over {self.tensor_parallel} GPUs: "
                f"{heads} must be a multiple of their number"
            )
        self.costs()
        self.policy()
        self.kv_tokens()

    def costs(self) -> RooflineCosts:
        """Of its kernel paths, with the constants as they are now."""
        return _costs(self, self.constants_sha256())

    def policy(self) -> VllmV1:
        """vLLM's own scheduler."""
        return VllmV1(self.max_batched_tokens, self.max_sequences, self.chunked_prefill)

    def kv_tokens(self) -> int:
        """Tokens whose keys and values fit beside weights and states."""
        return kv_tokens(model(self.model), self.gpu, self.tensor_parallel, self.max_sequences)

    def simulate(self, requests: Requests, costs: Costs | None = None) -> Run:
        """Serve the requests, with a log of iterations; `costs` are the setup's own, or ask them.

        BurstlabError when a request can never be served.
        """
        memory = Paged(max(1, self.kv_tokens() // BLOCK_TOKENS), BLOCK_TOKENS)
        delays = Delays(pause_ps=ps_from_ms(constant("pause.iteration")))
        return simulate(requests, self.policy(), memory, costs or self.costs(), delays)

    def constants(self) -> dict[str, Constant]:
        """The constants that it may rest on: all but those of other GPUs."""
        others = tuple(f"{name}." for name in GPUS if name != self.gpu)
        return {name: value for name, value in CONSTANTS.items() if not name.startswith(others)}

    def constants_sha256(self) -> str:
        """SHA-256 of these constants as they are now, and of the model's shape: with another one, results are others."""
        values = {name: [constant(name), one.unit] for name, one in self.constants().items()}
        text = json.dumps({"constants": values, "model": asdict(model(self.model))}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()


@lru_cache(maxsize=64)
def _costs(setup: Setup, constants_sha256: str) -> RooflineCosts:  # noqa: ARG001 - other constants, other costs
    return RooflineCosts(
        setup.model,
        setup.gpu,
        attention=setup.attention,
        gdn=setup.gdn,
        graphs=setup.graphs,
        tensor_parallel=setup.tensor_parallel,
    )
