"""A run as the tables of a cell, with the columns that a measured cell has. Their evidence is `simulated`."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from burstlab.bench import requests_table as bench
from burstlab.errors import BurstlabError
from burstlab.iterations import log
from burstlab.simulator.clock import PS_PER_S, ms_from_ps
from burstlab.simulator.loop import Run


def requests_table(run: Run) -> pa.Table:
    """A row a request, with the columns of `burstlab.bench.requests_table.SCHEMA`.

    A simulated client is never late: `send_s` is `planned_send_s`. TPOT and the longest gap are null below two tokens.
    """
    sent = run.requests
    arrived_ps = sent.send_ps - run.delays.egress_ps
    ttft_ms = ms_from_ps(run.first_token_ps - arrived_ps)
    decode_ms = ms_from_ps(run.last_token_ps - run.first_token_ps)
    single = sent.output_tokens < 2
    send_s = pa.array(sent.send_ps / PS_PER_S)
    count = len(sent.send_ps)
    return pa.table(
        [
            pa.array(np.arange(count)),
            send_s,
            send_s,
            pa.array(sent.prompt_tokens),
            pa.array(sent.output_tokens),
            pa.array(ttft_ms),
            pa.array(decode_ms / np.maximum(sent.output_tokens - 1, 1), mask=single),
            pa.array(ms_from_ps(run.last_token_ps - arrived_ps)),
            pa.array(ms_from_ps(run.longest_gap_ps), mask=single),
            pa.nulls(count, pa.string()),
        ],
        schema=bench.SCHEMA,
    )


def iterations_table(run: Run) -> pa.Table:
    """A row an iteration, with the columns of `burstlab.iterations.log.SCHEMA`; BurstlabError if none were kept.

    `kv_usage` is the share of blocks in use after the iteration, as vLLM logs it, but not rounded.
    """
    if run.iterations is None:
        raise BurstlabError("this run kept no iterations: simulate with log_iterations")
    stretches = run.iterations.stretches()
    steps = stretches["steps"]
    position = np.arange(steps.sum()) - np.repeat(np.cumsum(steps) - steps, steps)
    each = {name: np.repeat(values, steps) for name, values in stretches.items()}
    return pa.table(
        [
            pa.array(np.arange(len(position))),
            pa.array(np.zeros(len(position), dtype=np.int64)),
            pa.array(ms_from_ps(each["first_ps"] + position * each["growth_ps"])),
            *(pa.array(each[name]) for name in run.iterations.COLUMNS[4:]),
            pa.array(np.array(run.iterations.blocks, dtype=np.int64) / run.blocks),
            pa.array(_kinds(each["context_requests"], each["generation_requests"])),
        ],
        schema=log.SCHEMA,
    )


def _kinds(context_requests: np.ndarray, generation_requests: np.ndarray) -> np.ndarray:
    with_prompts = np.where(generation_requests > 0, log.MIXED, log.PREFILL_ONLY)
    return np.where(context_requests > 0, with_prompts, log.DECODE_ONLY)
