"""One good cell, with all evidence that a session records, to be spoiled in one point at a time."""

from dataclasses import replace

import pytest
from benchmarks.toy_engine import Toy, run

from burstlab.records.observed import ClientDelays, CpuTime, EngineCounters, Observed, Quantiles
from burstlab.validity.evidence import Evidence

REQUESTS = 80
ASKED = {
    "platform": {"kind": "cpu"},
    "model": {"dtype": "float32"},
    "engine": {
        "attention_backend": "FLASH_ATTN",
        "flash_attn_version": 2,
        "cuda_graphs": "none",
        "scheduler": "default",
        "chunked_prefill": True,
        "max_batched_tokens": 2048,
        "max_sequences": 64,
        "arguments": {},
    },
    "workload": {"requests": REQUESTS},
}
REPORTED = {
    "attention_backend": "FLASH_ATTN",
    "flash_attn_version": "2",
    "cudagraph_mode": "NONE",
    "chunked_prefill": "True",
    "dtype": "float32",
    "argument_max_batched_tokens": "2048",
    "argument_max_sequences": "64",
    "async_scheduling": "disabled",
    "prefix_caching": "False",
}


@pytest.fixture(scope="session")
def good() -> Evidence:
    """A cell at 60% load, b = 0.5, with nothing wrong."""
    evidence = run(Toy(), REQUESTS, rate_per_s=5.4, burstiness=0.5, seed=0)
    prompt, output = (
        sum(evidence.requests[column].to_pylist()) for column in ("prompt_tokens", "output_tokens")
    )
    counters = EngineCounters(
        prompt_tokens=prompt,
        generation_tokens=output,
        finished_requests=REQUESTS,
        finished_by_length=REQUESTS,
        preemptions=0,
        prefix_cache_queries=0,
        prefix_cache_hits=0,
    )
    observed = Observed(
        cpu=CpuTime(wall_s=10.0, cores=2, busy_s=12.0, own_s=11.9, interrupts_s=0.05, steal_s=0.01),
        engine=counters,
        client=ClientDelays(
            schedule_slip=Quantiles(p50_ms=0.9, p99_ms=2.0, max_ms=3.0),
            start_delay=Quantiles(p50_ms=0.1, p99_ms=0.2, max_ms=0.2),
        ),
    )
    return replace(evidence, specification=ASKED, engine_reported=REPORTED, observed=observed)
