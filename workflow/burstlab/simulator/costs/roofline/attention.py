"""Attention, by the path that a backend takes.

A kernel works on tiles: a number of query rows, padded to 64, against the keys of a KV head. *Packed*, the rows of a tile are the
query heads that share a KV head, and its keys and values are read once; otherwise each query head has a tile of its own and reads
them again: from memory as far as this model goes, though a cache may serve a part of it. *Split*, a long context is shared
among several tiles, so that a few sequences fill the GPU.

- FA2 packs and splits when every request has one token, so only in decode-only batches. One request with more switches
  both off for the whole batch (`varlen` forward of flash-attention 2; vLLM pull request 58013).
- FA3 and FA4 pack always.
- FlashInfer runs decodes and prompts by two kernels; decodes are packed and split.
- Multi-head latent attention keeps one compressed head that all query heads share, and runs decodes by a kernel of their own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.roofline.batch import Iteration
from burstlab.simulator.costs.roofline.constants import Gpu, constant
from burstlab.simulator.costs.roofline.models import Model

BACKENDS = ("FA2", "FA3", "FA4", "FLASHINFER")


@dataclass(frozen=True)
class Attention:
    """One layer's attention on one of `split` GPUs."""

    model: Model
    gpu: Gpu
    backend: str
    split: int = 1

    def __post_init__(self) -> None:
        if self.backend not in BACKENDS:
            raise BurstlabError(f"attention backend {self.backend}: there are {', '.join(BACKENDS)}")

    def decode_us_key(self) -> float:
        """Decode-only: time for each key that a decode reads; packed and split, so proportional to them."""
        return max(self._key_bytes / self.gpu.bytes_us, self._packed_flop / self._flop_us)

    def mixed_us(self, iteration: Iteration) -> float:
        """An iteration with prompts."""
        if self.model.latent or self.backend == "FLASHINFER":
            return self.decode_us_key() * iteration.decode_keys + self._one_call_us(iteration, 0, 0)
        group = self.model.query_heads // self.model.kv_heads
        if self.backend != "FA2":
            return self._one_call_us(iteration, iteration.decode_keys, self._packed_flop)
        keys_read = (1 + (group - 1) * self._reread) * iteration.decode_keys
        return self._one_call_us(iteration, keys_read, group * self._packed_flop) / self._filled(iteration)

    def _one_call_us(self, iteration: Iteration, keys_read: float, flop_key: float) -> float:
        """Prompts, and decodes that read `keys_read` keys, with `flop_key` operations for each that they attend to."""
        decode_keys = iteration.decode_keys if keys_read else 0
        heads = self.model.query_heads / self.split
        operations = flop_key * decode_keys + 4 * self.model.head_dim * heads * iteration.prompt_pairs
        moved = self._key_bytes * (keys_read + iteration.prompt_keys)
        return max(moved / self.gpu.bytes_us, operations / self._flop_us)

    def _filled(self, iteration: Iteration) -> float:
        """Share of the GPU that tiles fill when contexts are not split: one multiprocessor works on one tile."""
        tiles = iteration.decodes + sum(-(-now // self._rows) for now, _ in iteration.chunks)
        return min(1.0, tiles * self.model.query_heads / self.split / self.gpu.multiprocessors)

    @cached_property
    def _reread(self) -> float:
        """Share of repeated reads that go to memory."""
        return constant("fa2.rereads")

    @cached_property
    def _rows(self) -> int:
        return int(constant("attention.prefill_rows"))

    @cached_property
    def _flop_us(self) -> float:
        return self.gpu.attention_flop_us(self.backend)

    @cached_property
    def _key_bytes(self) -> float:
        # The compressed head of latent attention is on every GPU.
        return self.model.kv_bytes_layer / (1 if self.model.latent else self.split)

    @cached_property
    def _packed_flop(self) -> float:
        """Operations for a key in a packed tile, padding included."""
        rows = constant("attention.rows")
        if self.model.latent:
            return 2 * rows * (self.model.latent + self.model.latent_values)
        return 4 * rows * self.model.head_dim * self.model.kv_heads / self.split
