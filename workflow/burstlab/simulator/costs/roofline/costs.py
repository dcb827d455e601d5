"""The roofline as costs: one kernel after the other, as fast as the GPU computes or moves bytes, or as they are launched."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from burstlab.errors import BurstlabError
from burstlab.simulator.clock import PS_PER_US
from burstlab.simulator.costs.interface import FOREVER, Line
from burstlab.simulator.costs.roofline.attention import Attention
from burstlab.simulator.costs.roofline.batch import Iteration
from burstlab.simulator.costs.roofline.constants import GPUS, Gpu
from burstlab.simulator.costs.roofline.gdn import GatedDeltaNet
from burstlab.simulator.costs.roofline.launches import Launches
from burstlab.simulator.costs.roofline.matmul import experts_us, products_us, rows_us
from burstlab.simulator.costs.roofline.models import model
from burstlab.simulator.costs.roofline.tensor_parallel import all_reduce_us


class Parts(NamedTuple):
    """What an iteration's time on the GPU goes to, in µs: the parts of a profile, and gaps between kernels."""

    gemm: float
    moe: float
    other: float
    collectives: float
    attention: float
    gdn: float
    gaps: float


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
            # Attention has a line of its own: it alone grows with the context.
            others = self.parts_us(Iteration(decodes, 0))._replace(attention=0.0)
            self._without_context_ps[decodes] = round(sum(others) * PS_PER_US)
        gpu_ps = self._without_context_ps[decodes] + self._key_ps * (context_tokens + decodes)
        growth_ps = self._key_ps * decodes
        launched_ps = round(self._cpu_us[False] * PS_PER_US)
        if gpu_ps >= launched_ps:
            return Line(gpu_ps, growth_ps)
        return Line(launched_ps, 0, -(-(launched_ps - gpu_ps) // growth_ps) if growth_ps else FOREVER)

    def mixed(self, decodes: int, context_tokens: int, chunks: Sequence[tuple[int, int]]) -> int:
        """The sum of all kernels, or the time to launch them."""
        gpu_us = sum(self.parts_us(Iteration(decodes, context_tokens, chunks)))
        return round(max(gpu_us, self._cpu_us[True]) * PS_PER_US)

    def parts_us(self, iteration: Iteration) -> Parts:
        """What an iteration's kernels take; launching them may take longer than all of it."""
        tokens, sampled = iteration.tokens, iteration.decodes + len(iteration.chunks)
        return Parts(
            gemm=products_us(self.gpu, self.model, tokens, sampled, self.split),
            moe=self.model.moe_layers * experts_us(self.gpu, self.model, tokens, self.split),
            other=self.model.layers * rows_us(self.gpu, self.model, tokens),
            collectives=all_reduce_us(self.gpu, self.model, tokens, self.split),
            attention=self.model.attention_layers * self._attention_us(iteration),
            gdn=self.model.gdn_layers * self._gdn_us(iteration) if self.model.gdn_layers else 0.0,
            gaps=self._gaps_us[bool(iteration.chunks)],
        )

    def _attention_us(self, iteration: Iteration) -> float:
        if iteration.chunks:
            return self.attention.mixed_us(iteration)
        return self.attention.decode_us_key() * iteration.decode_keys

    def _gdn_us(self, iteration: Iteration) -> float:
        return self.gdn.mixed_us(iteration) if iteration.chunks else self.gdn.recurrent_us(iteration.decodes)
