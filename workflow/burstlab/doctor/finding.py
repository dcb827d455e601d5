"""What a check found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from burstlab.study.faults import Path

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found, how to cure it, and the key of the configuration that it concerns; () for none.

    An error says that a session would fail; a warning, that it might, or that a number may suffer.
    """

    check: str
    level: Level
    found: str
    cure: str = ""
    path: Path = ()
