"""What the Python of an environment said of itself."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Inside:
    """The version of vLLM or why there is none; for each backend, why it cannot be imported, or None if it can."""

    vllm: str | None
    error: str
    backends: dict[str, str | None]
