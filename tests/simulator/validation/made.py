"""Cells that a machine with known costs and delays has run, as the study has measured ones."""

from pathlib import Path

import numpy as np

from burstlab.arrivals.gamma import planned_send_s
from burstlab.records.cell_record import write_record
from burstlab.records.parquet import write_parquet
from burstlab.records.schema import Gate, LogLines
from burstlab.records.summary import compute_summary
from burstlab.simulator.clock import PS_PER_S
from burstlab.simulator.costs.fitted.costs import FittedCosts
from burstlab.simulator.costs.fitted.fit import Fit
from burstlab.simulator.costs.fitted.terms import TERMS
from burstlab.simulator.loop import Delays, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import iterations_table, requests_table
from burstlab.study.cells import Arrivals, Cell
from burstlab.tables.study_tables import build_tables

MS = 10**9
EACH_MS = {"iteration": 5.0, "decode_1_to_4": 0.5, "context": 0.001, "with_prompts": 2.0, "prompt_token": 0.1}
DELAYS = Delays(ingress_ps=2 * MS, pause_ps=MS)
REQUESTS = 60


def cell(seed: int, burstiness: float = 1.0, rate: float = 10.0, workload: str = "chat") -> Cell:
    """An identity."""
    return Cell("cpu", "tiny", "eager", workload, rate, Arrivals.gamma(burstiness), seed)


class Machine:
    """Runs cells into a results folder; `slowness` multiplies the durations of iterations."""

    def __init__(self, results: Path) -> None:
        self.results = results
        self.records: list[Path] = []

    def run(
        self,
        one: Cell,
        slowness: float = 1.0,
        *,
        scheduler: str = "default",
        gates: tuple[Gate, ...] = (),
        count: int = REQUESTS,
        kv_cache_tokens: int = 16_000,
    ) -> None:
        """Serve the cell's requests and leave its folder; memory is plenty, whatever `kv_cache_tokens` the engine reports."""
        rng = np.random.default_rng([one.seed, len(one.workload)])
        lengths = rng.integers(20, 200, count), rng.integers(2, 30, count)
        burstiness = one.arrivals.burstiness
        assert burstiness is not None
        sent = requests(planned_send_s(count, one.rate, burstiness, one.seed), *lengths)
        costs = FittedCosts(
            Fit(slowness * np.array([EACH_MS.get(term.name, 0.0) for term in TERMS]), np.zeros(0))
        )
        run = simulate(sent, VllmV1(512, 16), Paged(1000), costs, DELAYS)
        folder = self.results / "cells" / one.id
        folder.mkdir(parents=True)
        write_parquet(folder / "requests.parquet", requests_table(run))
        write_parquet(folder / "iterations.parquet", iterations_table(run))
        (folder / "bench.json").write_text("{}")
        write_record(
            folder,
            cell=one,
            evidence="measured",
            specification={"engine": {"scheduler": scheduler, "chunked_prefill": True}},
            versions={},
            hardware={},
            commands={},
            engine_reported={
                "argument_max_batched_tokens": "512",
                "argument_max_sequences": "16",
                "kv_cache_tokens": str(kv_cache_tokens),
            },
            log_lines=LogLines(unparsed=0, dummy=0, idle=0),
            gates=gates,
            times={},
            summary=compute_summary(requests_table(run), iterations_table(run), run.end_ps / PS_PER_S),
        )
        self.records.append(folder / "cell.json")

    def tables(self) -> Path:
        """The study tables of what was run."""
        build_tables(self.records, self.results / "tables")
        return self.results / "tables"
