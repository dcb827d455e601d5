"""A measured cell as the simulator needs it: what was sent, what ran, and what there was to run it on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from burstlab.records.schema import CellRecord
from burstlab.records.summary import Value, compute_summary
from burstlab.simulator.clock import PS_PER_S
from burstlab.simulator.costs.fitted.from_iterations import Rebuilt, rebuild
from burstlab.simulator.costs.interface import Costs
from burstlab.simulator.loop import Delays, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import iterations_table, requests_table

_BLOCK_TOKENS = 16


@dataclass(frozen=True, slots=True)
class Subject:
    """A measured cell with its table of requests, and its batches put together again."""

    cell: str
    requests: pa.Table
    rebuilt: Rebuilt
    max_batched_tokens: int
    max_sequences: int
    chunked_prefill: bool
    kv_cache_tokens: int

    def simulate(self, costs: Costs, delays: Delays) -> dict[str, Value]:
        """The metrics that the simulator gives it, from planned send times and lengths alone."""
        names = ("planned_send_s", "prompt_tokens", "output_tokens")
        sent = requests(*(self.requests[name].to_numpy() for name in names))
        policy = VllmV1(self.max_batched_tokens, self.max_sequences, self.chunked_prefill)
        memory = Paged(self.kv_cache_tokens // _BLOCK_TOKENS, _BLOCK_TOKENS)
        run = simulate(sent, policy, memory, costs, delays)
        return compute_summary(requests_table(run), iterations_table(run), run.end_ps / PS_PER_S)


def subject(record: CellRecord, sent: pa.Table, iterations: pa.Table) -> Subject | str:
    """The cell with this record and these two tables, or why the simulator cannot be held against it."""
    reported, asked = record.engine_reported, record.specification.get("engine")
    engine = asked if isinstance(asked, dict) else {}
    if engine.get("scheduler", "default") != "default":
        return f"its scheduler is {engine['scheduler']}, which the simulator does not know"
    limits = [
        reported.get(key) or reported.get(f"argument_{key}")
        for key in ("max_batched_tokens", "max_sequences", "kv_cache_tokens")
    ]
    if None in limits:
        return "its engine did not say how many tokens it may hold or take at once"
    if sent["error"].null_count < sent.num_rows:
        return "some of its requests failed"
    if not np.isfinite(sent["planned_send_s"].to_numpy()).all():
        return "nobody knows when its requests were to be sent"
    batched, sequences, held = (int(str(limit)) for limit in limits)
    rebuilt = rebuild(sent, iterations)
    if not rebuilt.batches:
        return "its iterations do not fit its requests"
    chunked = bool(engine.get("chunked_prefill", True))
    return Subject(record.cell.cell().id, sent, rebuilt, batched, sequences, chunked, held)
