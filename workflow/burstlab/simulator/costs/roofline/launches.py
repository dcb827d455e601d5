"""Launching kernels: the CPU's time for it, and the gaps that it leaves on the GPU."""

from __future__ import annotations

from dataclasses import dataclass

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.roofline.constants import constant
from burstlab.simulator.costs.roofline.models import Model

GRAPHS = ("default", "none", "piecewise", "full_decode_only", "full")
"""As in the study's configuration; vLLM's default is full for decode-only batches and piecewise for others."""


@dataclass(frozen=True, slots=True)
class Launches:
    """`graphs` is one of `GRAPHS`."""

    model: Model
    graphs: str

    def __post_init__(self) -> None:
        if self.graphs not in GRAPHS:
            raise BurstlabError(f"CUDA graphs {self.graphs}: there are {', '.join(GRAPHS)}")

    def kernels(self, *, chunked: bool) -> float:
        """Kernels of an iteration; `chunked` where Gated DeltaNet takes the chunked path."""
        each_gdn = constant("kernels.gdn_layer") + (constant("kernels.gdn_chunked") if chunked else 0)
        return (
            self.model.attention_layers * constant("kernels.attention_layer")
            + self.model.gdn_layers * each_gdn
            + self.model.moe_layers * constant("kernels.moe")
        )

    def mode(self, *, mixed: bool) -> str:
        """What an iteration runs as: none, piecewise or full."""
        by_setting = {
            "default": "piecewise" if mixed else "full",
            "full_decode_only": "none" if mixed else "full",
        }
        return by_setting.get(self.graphs, self.graphs)

    def cpu_us(self, *, mixed: bool) -> float:
        """Time until the CPU has launched an iteration, which takes no less."""
        mode, layers = self.mode(mixed=mixed), self.model.layers
        if mode == "none":
            return self.kernels(chunked=mixed) * constant("launch.eager")
        if mode == "full":
            return constant("launch.graph")
        outside = constant("kernels.eager_in_pieces") * constant("launch.eager")
        return layers * (constant("launch.graph") + outside)

    def gaps_us(self, *, mixed: bool) -> float:
        """Time between kernels on the GPU."""
        gap_us = constant("gap.eager" if self.mode(mixed=mixed) == "none" else "gap.graph")
        return self.kernels(chunked=mixed) * gap_us
