"""vLLM's counters, read from its `/metrics` in Prometheus' text format."""

import re
from collections.abc import Mapping

from burstlab.records.observed import EngineCounters

# Counters end in _total in the text, whatever vLLM calls them.
_NAMES = {
    "prompt_tokens": "vllm:prompt_tokens",
    "generation_tokens": "vllm:generation_tokens",
    "finished_requests": "vllm:request_success",
    "finished_by_length": "vllm:request_success",
    "preemptions": "vllm:num_preemptions",
    "prefix_cache_queries": "vllm:prefix_cache_queries",
    "prefix_cache_hits": "vllm:prefix_cache_hits",
}
_LABEL = {"finished_by_length": 'finished_reason="length"'}
_SAMPLE = re.compile(r"^([a-zA-Z_:][\w:]*?)(?:_total)?(?:\{([^\n]*)\})? ([0-9.eE+-]+)$", re.MULTILINE)


def read_counters(text: str) -> dict[str, int]:
    """The counters of `EngineCounters` in a page of `/metrics`, summed over labels; those it lacks are missing."""
    found: dict[str, int] = {}
    for name, labels, value in _SAMPLE.findall(text):
        for key, wanted in _NAMES.items():
            if name == wanted and _LABEL.get(key, "") in labels:
                found[key] = found.get(key, 0) + int(float(value))
    return found


def counted_between(before: Mapping[str, int], after: Mapping[str, int]) -> EngineCounters:
    """What the counters grew by; None for one that is missing, or that went down because the engine was started anew."""
    growth = {key: after[key] - before[key] if key in before and key in after else None for key in _NAMES}
    return EngineCounters(
        **{key: None if value is None or value < 0 else value for key, value in growth.items()}
    )
