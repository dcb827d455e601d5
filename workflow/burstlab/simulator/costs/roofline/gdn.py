"""Gated DeltaNet layers: a state a sequence, and two ways to bring it forward.

The *recurrent* kernel takes one token: it reads and writes the state. The *chunked* kernels (Gated Delta Networks, ICLR 2025,
section 3.3) take 64 tokens at a time by matrix products, and keep intermediate results in memory. Up to 0.22.1 vLLM sends a batch
with any prompt whole through the chunked kernels, where a decode fills a chunk of 64 with one token; from 0.23 decodes are peeled
off.
"""

from __future__ import annotations

from dataclasses import dataclass

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.roofline.batch import Iteration
from burstlab.simulator.costs.roofline.constants import Gpu, constant
from burstlab.simulator.costs.roofline.models import BYTES, Model

PATHS = ("whole", "peeled")
_FP32 = 4


@dataclass(frozen=True, slots=True)
class GatedDeltaNet:
    """One layer's state on one of `split` GPUs. `path` says what mixed batches take: `whole` up to 0.22.1, then `peeled`."""

    model: Model
    gpu: Gpu
    path: str
    split: int = 1

    def __post_init__(self) -> None:
        if self.path not in PATHS:
            raise BurstlabError(f"path of Gated DeltaNet {self.path}: there are {', '.join(PATHS)}")

    def recurrent_us(self, decodes: int) -> float:
        """The state of each decode, read and written once."""
        moved = 2 * decodes * self.model.gdn_state_bytes / self.split
        return moved / (constant("gdn.recurrent_share") * self.gpu.bytes_us)

    def mixed_us(self, iteration: Iteration) -> float:
        """An iteration with prompts."""
        size = int(constant("gdn.chunk"))
        chunks = sum(-(-now // size) for now, _ in iteration.chunks)
        if self.path == "whole":
            return self._chunked_us(chunks + iteration.decodes, len(iteration.chunks) + iteration.decodes)
        return self.recurrent_us(iteration.decodes) + self._chunked_us(chunks, len(iteration.chunks))

    def _chunked_us(self, chunks: int, sequences: int) -> float:
        """So many chunks of so many sequences."""
        heads = self.model.gdn_value_heads / self.split
        states = 2 * sequences * self.model.gdn_state_bytes / self.split
        moved = chunks * heads * self._chunk_bytes() + states
        return max(moved / self.gpu.bytes_us, chunks * heads * self._chunk_flop() / self.gpu.fla_flop_us)

    def _chunk_flop(self) -> float:
        """Of a chunk and head: keys × keys, the inverse, two products with it, then state and output."""
        size, dim = constant("gdn.chunk"), self.model.gdn_dim
        within = size * size * (dim + size + 2 * dim + 2 * dim)
        across = 3 * size * dim * dim
        return 2 * (within + across)

    def _chunk_bytes(self) -> float:
        """Of a chunk and head: inputs and output; the matrix of keys, twice written and read; two sets of rows; values; state."""
        size, dim = constant("gdn.chunk"), self.model.gdn_dim
        rows = BYTES * size * dim
        return 4 * rows + 4 * _FP32 * size * size + 2 * 2 * rows + 2 * rows + 2 * BYTES * dim * dim
