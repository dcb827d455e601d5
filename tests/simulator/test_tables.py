from pathlib import Path

import pyarrow as pa
import pytest
from tests.simulator.made import Ticks, sent, served

from burstlab.arrivals.gamma import planned_send_s
from burstlab.bench import requests_table as bench
from burstlab.errors import BurstlabError
from burstlab.iterations import log
from burstlab.records.parquet import write_parquet
from burstlab.simulator.loop import Delays, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.requests import requests
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import iterations_table, requests_table

MS = 10**9


def rows(table: pa.Table, *names: str) -> list[tuple[object, ...]]:
    return list(zip(*(table[name].to_pylist() for name in names), strict=True))


def test_requests_as_a_client_sees_them() -> None:
    costs = Ticks(base=10 * MS, prompt_token=MS)
    run = served(
        sent((5 * MS, 20, 3), (500 * MS, 5, 1)),
        costs=costs,
        delays=Delays(ingress_ps=MS, pause_ps=2 * MS, egress_ps=3 * MS),
    )
    table = requests_table(run)
    assert table.schema.equals(bench.SCHEMA)
    assert rows(table, "request", "planned_send_s", "send_s", "prompt_tokens", "output_tokens") == [
        (0, 0.005, 0.005, 20, 3),
        (1, 0.5, 0.5, 5, 1),
    ]
    # 1 until it is seen, 30 for the prompt, 3 to the client; then twice a pause of 2 and 10 for a token.
    assert rows(table, "ttft_ms", "tpot_ms", "e2el_ms", "max_itl_ms", "error") == [
        (34.0, 12.0, 58.0, 12.0, None),
        (19.0, None, 19.0, None, None),
    ]


def test_iterations_as_vllm_logs_them() -> None:
    run = served(
        sent((0, 8, 3), (25, 6, 1)),
        costs=Ticks(base=10 * MS, prompt_token=MS, context=MS),
        memory=Paged(8, 4),
    )
    table = iterations_table(run)
    assert table.schema.equals(log.SCHEMA)
    assert rows(table, "iteration", "elapsed_ms", "kv_usage", "kind") == [
        (0, 18.0, 2 / 8, "prefill-only"),
        (1, 24.0, 3 / 8, "mixed"),
        (2, 19.0, 0.0, "decode-only"),
    ]
    names = ("context_requests", "context_tokens", "generation_requests", "generation_tokens")
    assert rows(table, *names) == [(1, 8, 0, 0), (1, 6, 1, 1), (0, 0, 1, 1)]


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    written = []
    for name in ("first", "second"):
        sending = requests(planned_send_s(200, 20.0, 0.1, seed=3), 30, 20)
        run = simulate(sending, VllmV1(64, 16), Paged(60), Ticks(base=5 * MS, prompt_token=MS, context=1000))
        for table in (requests_table(run), iterations_table(run)):
            write_parquet(tmp_path / name, table)
            written.append((tmp_path / name).read_bytes())
    assert written[:2] == written[2:]


def test_iterations_that_were_not_kept_cannot_be_shown() -> None:
    run = simulate(sent((0, 8, 3)), VllmV1(9, 9), Paged(9), Ticks(), log_iterations=False)
    with pytest.raises(BurstlabError, match="log_iterations"):
        iterations_table(run)
