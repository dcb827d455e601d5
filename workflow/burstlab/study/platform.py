"""What engines run on, as a configuration says it: a CPU, GPUs, or GPUs that are simulated."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from burstlab.simulator.costs.roofline.constants import GPUS
from burstlab.study.faults import FaultAtError
from burstlab.study.section import Flag, Name, Section, Text


class Slurm(Section):
    """How sessions of a platform run as jobs of a SLURM cluster; it says nothing about what is measured."""

    partition: Text | None = Field(None, description="Partition; unset: the cluster's default.")
    account: Text | None = Field(
        None, description="Account that is charged, where the cluster keeps accounts."
    )
    qos: Text | None = Field(None, description="Quality of service.")
    constraint: Text | None = Field(
        None, description="Features that the node must have, such as sxm5&nvlink."
    )
    gpu_type: Annotated[str, Field(pattern=r"^[A-Za-z0-9_.]+$")] | None = Field(
        None,
        description="cuda only: the GPU's type as sinfo shows it, or any; unset: the platform's gpu_model.",
    )
    runtime_minutes: int = Field(
        240, ge=5, description="Time limit of a session's job; sessions are cut so that they fit."
    )
    max_runtime_minutes: int | None = Field(
        None,
        ge=5,
        description="Each retry asks for another runtime_minutes, up to this; unset: no more than the first time.",
    )
    memory_gib: int = Field(32, ge=1, description="Memory of a session's job in GiB.")
    max_memory_gib: int | None = Field(
        None,
        ge=1,
        description="Each retry asks for another half of memory_gib, up to this; unset: no more than the first time.",
    )
    exclusive: Flag | None = Field(
        None,
        description="Whether a session has its node to itself, so that nothing else is measured; unset: on a cpu platform only.",
    )

    @model_validator(mode="after")
    def _growing(self) -> Slurm:
        for least, most in (("runtime_minutes", "max_runtime_minutes"), ("memory_gib", "max_memory_gib")):
            first, last = getattr(self, least), getattr(self, most)
            if last is not None and last < first:
                raise FaultAtError(most, f"{most}: {last} must be at least {least}: {first}")
        return self


class Platform(Section):
    """What engines run on."""

    kind: Literal["cpu", "cuda", "simulated"] = Field(
        description="cpu, cuda (NVIDIA GPUs), or simulated (GPUs that are not there: its name ends in -simulated)."
    )
    cores: int | None = Field(
        None,
        ge=1,
        description="CPU cores that one session takes; unset: all on a cpu platform, 4 on a cuda one, 1 where it is simulated.",
    )
    kvcache_gib: float | None = Field(
        default_factory=lambda data: 2.0 if data.get("kind") == "cpu" else None,
        gt=0,
        allow_inf_nan=False,
        description="cpu only: memory for the KV cache in GiB; default 2.",
    )
    gpus: int = Field(
        default_factory=lambda data: 0 if data.get("kind") == "cpu" else 1,
        ge=1,
        description="cuda and simulated only: GPUs one session leases or simulates; default 1.",
    )
    gpu_model: Name | None = Field(
        None,
        description="cuda: GPU model, as a cluster's scheduler names it, such as h200; simulated: the GPU that is simulated, "
        f"one of {', '.join(GPUS)}.",
    )
    max_cells_per_session: int | None = Field(
        None,
        ge=1,
        description="Cut sessions at so many cells, for a cluster's time limit; unset: one an engine.",
    )
    slurm: Slurm | None = Field(
        None, description="How its sessions run as jobs of a SLURM cluster: the keys of `slurm` below."
    )

    @model_validator(mode="after")
    def _on_a_cluster(self) -> Platform:
        if self.slurm is None:
            return self
        if self.kind == "cpu" and self.cores is None:
            raise FaultAtError("slurm", "a job has as many cores as it asks for: give the platform its cores")
        if self.kind == "cpu" and self.slurm.gpu_type is not None:
            raise FaultAtError("slurm", "gpu_type only goes with kind: cuda")
        if self.gpu_model is not None and "-" in self.gpu_model and self.slurm.gpu_type is None:
            raise FaultAtError(
                "slurm",
                f"gpu_model: {self.gpu_model} is no type of SLURM's: give gpu_type, as sinfo shows it, or any",
            )
        return self

    @model_validator(mode="after")
    def _one_kind(self) -> Platform:
        self._only(("kvcache_gib",), self.kind == "cpu", "kind: cpu")
        self._only(("gpus", "gpu_model"), self.kind != "cpu", "kind: cuda or simulated")
        self._only(("slurm",), self.kind != "simulated", "kind: cpu or cuda: what is simulated takes no job")
        if self.kind == "simulated" and self.gpu_model not in GPUS:
            raise FaultAtError(
                "gpu_model", f"the simulator knows the GPUs {', '.join(GPUS)}: name one of them"
            )
        return self

    @property
    def simulated(self) -> bool:
        """Whether no engine runs on it: its cells are predicted."""
        return self.kind == "simulated"
