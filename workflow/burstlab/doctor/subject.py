"""What the checks look at: the sessions of a study that are to run, and the machine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from burstlab.doctor.inside_answer import Inside
from burstlab.doctor.machine import Machine
from burstlab.doctor.nvidia_smi import Gpus, read_gpus
from burstlab.study.cells import Session
from burstlab.study.schema import Engine, Environment, Model, Platform, Study


@dataclass(frozen=True)
class Subject:
    """Only what the sessions use is checked: an entry that no cell needs can do no harm."""

    study: Study
    sessions: Sequence[Session]
    machine: Machine = field(default_factory=Machine)
    insides: dict[str, Inside | None] = field(default_factory=dict)
    """What `look_inside` found, by environment."""

    def __post_init__(self) -> None:
        """What is simulated needs nothing of a machine, so that its sessions are left out."""
        measured = [one for one in self.sessions if not self.study.platforms[one.platform].simulated]
        object.__setattr__(self, "sessions", measured)

    @cached_property
    def platforms(self) -> dict[str, Platform]:
        """Platforms of the sessions by name, in the configuration's order."""
        used = {session.platform for session in self.sessions}
        return {name: platform for name, platform in self.study.platforms.items() if name in used}

    @cached_property
    def engines(self) -> dict[str, Engine]:
        """Engines of the sessions."""
        used = {session.engine for session in self.sessions}
        return {name: engine for name, engine in self.study.engines.items() if name in used}

    @cached_property
    def environments(self) -> dict[str, Environment]:
        """Environments of these engines."""
        used = {engine.environment for engine in self.engines.values()}
        return {name: one for name, one in self.study.environments.items() if name in used}

    @cached_property
    def models(self) -> dict[str, Model]:
        """Models of the sessions."""
        used = {session.model for session in self.sessions}
        return {name: model for name, model in self.study.models.items() if name in used}

    @cached_property
    def gpu_platforms(self) -> dict[str, Platform]:
        """The platforms that are GPUs."""
        return {name: platform for name, platform in self.platforms.items() if platform.kind == "cuda"}

    @cached_property
    def gpus(self) -> Gpus:
        """The machine's GPUs, asked for once."""
        return read_gpus(self.machine)

    def platforms_of(self, engine: str) -> dict[str, Platform]:
        """Platforms that the engine is to run on."""
        used = {session.platform for session in self.sessions if session.engine == engine}
        return {name: platform for name, platform in self.platforms.items() if name in used}

    def engines_of(self, model: str) -> dict[str, Engine]:
        """Engines that are to serve the model."""
        used = {session.engine for session in self.sessions if session.model == model}
        return {name: engine for name, engine in self.engines.items() if name in used}
