"""Rows of the table `timeline`, without whose run they are."""

from typing import Any


def iteration(
    begin_ms: float, duration_ms: float, prompt_tokens: int = 0, decodes: int = 1
) -> dict[str, Any]:
    kind = "decode-only" if not prompt_tokens else "mixed" if decodes else "prefill-only"
    counts = {"context_requests": int(prompt_tokens > 0), "context_tokens": prompt_tokens}
    counts |= {"generation_requests": decodes, "generation_tokens": decodes}
    times = {"begin_ms": begin_ms, "duration_ms": duration_ms}
    return {"what": "iteration", **times, **counts, "kind": kind, "within_ms": None, "why": None}


def arrival(begin_ms: float, prompt_tokens: int = 50, within_ms: float = 2.5) -> dict[str, Any]:
    row = iteration(begin_ms, 0.0, prompt_tokens)
    unknown = dict.fromkeys(
        ("duration_ms", "kind", "context_requests", "generation_requests", "generation_tokens")
    )
    return {**row, **unknown, "what": "arrival", "within_ms": within_ms}


def of_three_iterations() -> list[dict[str, Any]]:
    """A prompt alone, then beside a decode, then a decode alone; each prompt had arrived a moment before."""
    return [
        iteration(0, 100, 50, 0),
        iteration(100, 120, 50, 1),
        iteration(220, 10),
        arrival(-1),
        arrival(60),
    ]
