"""Every constant of the roofline, with its unit and its source. None was chosen to match a published result of the study."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType

from burstlab.errors import BurstlabError


@dataclass(frozen=True, slots=True)
class Constant:
    """A number; a `source` that begins with "assumed" says that nobody measured it for this purpose."""

    value: float
    unit: str
    source: str


_A100 = "NVIDIA A100 data sheet, SXM4 40 GB"
_GH200 = "NVIDIA GH200 data sheet, 96 GB HBM3"
_H200 = "NVIDIA H200 data sheet, SXM"
_FA3 = "FlashAttention-3, NeurIPS 2024, abstract and section 4"

CONSTANTS: dict[str, Constant] = {
    "a100-40gb.bf16": Constant(312, "TFLOP/s, dense", _A100),
    "a100-40gb.hbm": Constant(1555, "GB/s", _A100),
    "a100-40gb.sms": Constant(108, "multiprocessors", _A100),
    "a100-40gb.memory": Constant(40, "GiB", _A100),
    "a100-40gb.nvlink": Constant(300, "GB/s in one direction", _A100),
    "gh200.bf16": Constant(989, "TFLOP/s, dense", _GH200),
    "gh200.hbm": Constant(4000, "GB/s", _GH200),
    "gh200.sms": Constant(132, "multiprocessors", _GH200),
    "gh200.memory": Constant(96, "GiB", _GH200),
    "gh200.nvlink": Constant(450, "GB/s in one direction", _GH200),
    "h200.bf16": Constant(989, "TFLOP/s, dense", _H200),
    "h200.hbm": Constant(4800, "GB/s", _H200),
    "h200.sms": Constant(132, "multiprocessors", _H200),
    "h200.memory": Constant(139, "GiB", "as the driver shows it; the data sheet says 141 GB"),
    "h200.nvlink": Constant(450, "GB/s in one direction", _H200),
    "memory.share": Constant(0.92, "share", "vLLM 0.32, gpu_memory_utilization"),
    "memory.workspace": Constant(2, "GiB", "assumed: activations, graphs and the CUDA context"),
    "gemm.share": Constant(
        0.80, "share of peak", "measured on an H200: 790 of 989 TFLOP/s in a bf16 product of 8192³"
    ),
    "hbm.share": Constant(0.90, "share of peak", "measured on an H200: copying at 4.3 of 4.8 TB/s"),
    "fa2.ampere.share": Constant(
        0.73, "share of peak", "FlashAttention-2, ICLR 2024, section 4: up to 230 of 312 TFLOP/s on an A100"
    ),
    "fa2.hopper.share": Constant(0.35, "share of peak", f"{_FA3}: FlashAttention-2 on an H100"),
    "fa3.share": Constant(0.75, "share of peak", f"{_FA3}: up to 740 of 989 TFLOP/s on an H100"),
    "fa2.rereads": Constant(
        1,
        "share of repeated reads",
        "assumed: none is served by a cache, so that FA2's penalty is an upper bound",
    ),
    "fla.share": Constant(
        0.25, "share of peak", "assumed: Triton kernels of 64 × 128 tiles with much work between the products"
    ),
    "attention.rows": Constant(
        64, "query rows of a tile", "FlashAttention's kernels: the least that a tile of queries is padded to"
    ),
    "attention.prefill_rows": Constant(128, "query rows of a tile", "FlashAttention's kernels for prompts"),
    "gdn.chunk": Constant(
        64, "tokens", "flash-linear-attention's chunked gated delta rule, as vLLM calls it"
    ),
    "gdn.recurrent_share": Constant(
        1,
        "share of copying's bandwidth",
        "assumed: the recurrent kernel moves states as fast as a copy moves bytes",
    ),
    "launch.eager": Constant(
        8, "µs of CPU a kernel", "assumed: the order of an operator that PyTorch dispatches from Python"
    ),
    "launch.graph": Constant(10, "µs of CPU a graph", "assumed: the order of cudaGraphLaunch"),
    "gap.eager": Constant(
        0.9,
        "µs of GPU a kernel",
        "NVIDIA, Getting Started with CUDA Graphs, 2019: 3.8 µs for kernels of 2.9 µs",
    ),
    "gap.graph": Constant(
        0.5,
        "µs of GPU a kernel",
        "NVIDIA, Getting Started with CUDA Graphs, 2019: 3.4 µs for kernels of 2.9 µs",
    ),
    "allreduce.latency": Constant(10, "µs", "assumed: a small all-reduce of two GPUs over NVLink"),
    "pause.iteration": Constant(
        1,
        "ms",
        "assumed: scheduling, sampling and handing out tokens between two iterations, without async scheduling",
    ),
    "kernels.attention_layer": Constant(
        10, "kernels", "counted in vLLM's Llama: norms, products, rotation, cache, attention, activation"
    ),
    "kernels.gdn_layer": Constant(12, "kernels", "counted in vLLM's Qwen3-Next, recurrent path"),
    "kernels.gdn_chunked": Constant(5, "kernels more", "counted in flash-linear-attention's chunked path"),
    "kernels.moe": Constant(
        5, "kernels more", "counted in vLLM's fused experts: routing, sorting, products, sum"
    ),
    "kernels.eager_in_pieces": Constant(
        3, "kernels a layer", "counted: rotation, cache and attention stay outside piecewise graphs"
    ),
}


GPUS = tuple(name.removesuffix(".bf16") for name in CONSTANTS if name.endswith(".bf16"))
"""The GPUs whose constants are known."""


_FACTORS: ContextVar[Mapping[str, float]] = ContextVar("factors", default=MappingProxyType({}))


def constant(name: str) -> float:
    """The value of a constant; BurstlabError if there is none of that name."""
    if name not in CONSTANTS:
        raise BurstlabError(f"constant {name}: no such; there are {', '.join(CONSTANTS)}")
    factor = _FACTORS.get().get(name)
    return CONSTANTS[name].value if factor is None else CONSTANTS[name].value * factor


@contextmanager
def varied(factors: Mapping[str, float]) -> Iterator[None]:
    """Within it, a constant named in `factors` is so many times its value: what would be if it were wrong?

    Costs keep what they have computed, so those that are to feel it are made within.
    """
    token = _FACTORS.set(factors)
    try:
        yield
    finally:
        _FACTORS.reset(token)


@dataclass(frozen=True)
class Gpu:
    """What a GPU can do in a microsecond, at the shares of its peaks that kernels reach."""

    name: str

    @cached_property
    def gemm_flop_us(self) -> float:
        """Operations of a matrix product."""
        return constant(f"{self.name}.bf16") * 1e6 * constant("gemm.share")

    @cached_property
    def bytes_us(self) -> float:
        """Bytes to or from memory."""
        return constant(f"{self.name}.hbm") * 1e3 * constant("hbm.share")

    @property
    def multiprocessors(self) -> int:
        """Its multiprocessors."""
        return int(constant(f"{self.name}.sms"))

    def attention_flop_us(self, backend: str) -> float:
        """Operations of attention with a backend."""
        hopper = self.name != "a100-40gb"
        if backend == "FA2" or not hopper:
            share = constant("fa2.hopper.share" if hopper else "fa2.ampere.share")
        else:
            share = constant("fa3.share")
        return constant(f"{self.name}.bf16") * 1e6 * share

    @cached_property
    def fla_flop_us(self) -> float:
        """Operations of the chunked kernels of a Gated DeltaNet."""
        return constant(f"{self.name}.bf16") * 1e6 * constant("fla.share")
