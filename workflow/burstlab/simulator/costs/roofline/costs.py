"""The roofline as costs: one kernel after the other, as fast as the GPU computes or moves bytes, or as they are launched."""

from __future__ import annotations

from collections.abc import Sequence

from burstlab.errors import BurstlabError
from burstlab.simulator.clock import PS_PER_US
from burstlab.simulator.costs.interface import FOREVER, Line
from burstlab.simulator.costs.roofline.attention import Attention
from burstlab.simulator.costs.roofline.batch import Iteration
from burstlab.simulator.costs.roofline.constants import GPUS, Gpu
from burstlab.simulator.costs.roofline.gdn import GatedDeltaNet
from burstlab.simulator.costs.roofline.launches import Launches
from burstlab.simulator.costs.roofline.matmul import dense_us
from burstlab.simulator.costs.roofline.models import model
from burstlab.simulator.costs.roofline.tensor_parallel import all_reduce_us


class RooflineCosts:
    """Costs of a model on a GPU; `attention`, `gdn` and `graphs` are the engine's paths (see those modules)."""

    def __init__(
        self,
        model_name: str,
        gpu_name: str,
        *,
        attention: str,
        gdn: str = "peeled",
        graphs: str = "default",
        tensor_parallel: int = 1,
    ) -> None:
        if gpu_name not in GPUS:
            raise BurstlabError(
                f"GPU {gpu_name}: its constants are not known; those of {', '.join(GPUS)} are"
            )
        self.model, self.gpu, self.split = model(model_name), Gpu(gpu_name), tensor_parallel
        self.attention = Attention(self.model, self.gpu, attention, tensor_parallel)
        self.gdn = GatedDeltaNet(self.model, self.gpu, gdn, tensor_parallel)
        self.launches = Launches(self.model, graphs)
        self._cpu_us, self._gaps_us = (
            {mixed: of(mixed=mixed) for mixed in (False, True)}
            for of in (self.launches.cpu_us, self.launches.gaps_us)
        )
        key_us = self.model.attention_layers * self.attention.decode_us_key()
        self._key_ps = round(key_us * PS_PER_US)
        self._without_context_ps: dict[int, int] = {}

    def decode(self, decodes: int, context_tokens: int) -> Line:
        """Constant while launching takes longer than the GPU, then a line: of all kernels only attention grows."""
        if decodes not in self._without_context_ps:
            self._without_context_ps[decodes] = round(self._decode_us(decodes) * PS_PER_US)
        gpu_ps = self._without_context_ps[decodes] + self._key_ps * (context_tokens + decodes)
        growth_ps = self._key_ps * decodes
        launched_ps = round(self._cpu_us[False] * PS_PER_US)
        if gpu_ps >= launched_ps:
            return Line(gpu_ps, growth_ps)
        return Line(launched_ps, 0, -(-(launched_ps - gpu_ps) // growth_ps) if growth_ps else FOREVER)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        """The sum of all kernels, or the time to launch them."""
        iteration = Iteration(decodes, context_tokens, chunks)
        gpu_us = (
            self._shared_us(iteration.tokens, decodes + len(chunks))
            + self.model.attention_layers * self.attention.mixed_us(iteration)
            + (self.model.gdn_layers * self.gdn.mixed_us(iteration) if self.model.gdn_layers else 0.0)
            + self._gaps_us[True]
        )
        return round(max(gpu_us, self._cpu_us[True]) * PS_PER_US)

    def _decode_us(self, decodes: int) -> float:
        state_us = self.model.gdn_layers * self.gdn.recurrent_us(decodes) if self.model.gdn_layers else 0.0
        return self._shared_us(decodes, decodes) + state_us + self._gaps_us[False]

    def _shared_us(self, tokens: int, sampled: int) -> float:
        dense = dense_us(self.gpu, self.model, tokens, sampled, self.split)
        return dense + all_reduce_us(self.gpu, self.model, tokens, self.split)
