"""The batches of `vllm bench forward --output-json` (vLLM 0.33), which times the model alone, without scheduling or sampling."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.fitted.batches import Batch

_US_PER_MS = 1000


def read_forward(path: Path) -> list[Batch]:
    """A batch for each case in the file; BurstlabError where it is not as vLLM writes it, or has speculative decodes.

    A request with one token and a context decodes (`BenchRequest.is_decode` in vllm/benchmarks/forward/shapes.py); all others
    are chunks of prompts.
    """
    try:
        cases = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise BurstlabError(f"{path}: cannot be read as JSON: {error}") from error
    if not isinstance(cases, list):
        raise BurstlabError(
            f"{path}: a list of cases was expected, as vllm bench forward --output-json writes it"
        )
    return [_batch(path, number, case) for number, case in enumerate(cases)]


def _batch(path: Path, number: int, case: Any) -> Batch:
    try:
        requests = [(int(item["query_len"]), int(item["kv_len"])) for item in case["requests"]]
        drafts = any(item.get("num_draft_tokens") for item in case["requests"])
        elapsed_ms = float(case["median_us"]) / _US_PER_MS
    except (TypeError, KeyError, ValueError, AttributeError) as error:
        raise BurstlabError(
            f"{path}: case {number} needs median_us, and query_len and kv_len of each request: {error!r}"
        ) from error
    if drafts:
        raise BurstlabError(
            f"{path}: case {number} has num_draft_tokens; speculative decoding is not simulated"
        )
    chunks = [(query, kv - query) for query, kv in requests if not _decodes(query, kv)]
    contexts = [kv - query for query, kv in requests if _decodes(query, kv)]
    return Batch(len(contexts), sum(contexts), chunks, elapsed_ms)


def _decodes(query: int, kv: int) -> bool:
    return query == 1 and kv > 1
