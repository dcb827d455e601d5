"""A run's outcome is what its tables say."""

import math

import pytest
from tests.simulator.made import Ticks, sent, served

from burstlab.errors import BurstlabError
from burstlab.records.summary import compute_summary
from burstlab.simulator.clock import PS_PER_S
from burstlab.simulator.loop import Delays, Run, simulate
from burstlab.simulator.memory.paged import Paged
from burstlab.simulator.outcome import METRICS, outcome
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import iterations_table, requests_table

MS = 10**9


def busy(memory_blocks: int = 1000) -> Run:
    """Requests that meet each other, one of a single token, with preemptions where memory is short."""
    rows = [(number * 25 * MS, 10 + number % 13, 1 + number % 11) for number in range(60)]
    return served(
        sent(*rows),
        memory=Paged(memory_blocks, 4),
        costs=Ticks(base=10 * MS, context=MS // 100, prompt_token=MS),
        delays=Delays(ingress_ps=MS, pause_ps=2 * MS, egress_ps=MS),
    )


@pytest.mark.parametrize("memory_blocks", [1000, 12])
def test_it_is_what_the_summary_of_the_tables_says(memory_blocks: int) -> None:
    run = busy(memory_blocks)
    assert bool(run.preemptions) == (memory_blocks == 12)
    end_s = (int(run.last_token_ps.max()) + run.delays.egress_ps) / PS_PER_S
    summary = compute_summary(requests_table(run), iterations_table(run), end_s)
    found = outcome(run)
    for metric in METRICS:
        assert found.mean_ms[metric] == pytest.approx(summary[f"mean_{metric}_ms"])
        assert found.median_ms[metric] == pytest.approx(summary[f"median_{metric}_ms"])
    assert found.decode_only.token_share == pytest.approx(summary["decode_only_token_share"])
    assert found.decode_only.mean_ms == pytest.approx(summary["mean_decode_only_ms"])
    assert found.mixed.mean_ms == pytest.approx(summary["mean_mixed_ms"])
    assert found.served_per_s == pytest.approx(summary["throughput_req_s"])


def test_a_token_waits_for_the_iteration_that_makes_it() -> None:
    # One decode of 10 ms alone (three tokens), joined by a prompt of 20: then one mixed iteration of 30 ms, and both decode.
    run = served(
        sent((0, 1, 6), (31 * MS, 20, 2)), costs=Ticks(base=10 * MS, decode_token=5 * MS, prompt_token=MS)
    )
    found = outcome(run)
    # Iterations: prompt 11; alone 15, 15 (to 41); mixed 10 + 5 + 20; both 20; alone 15.
    assert found.mixed.token_ms == 35
    assert found.mixed.prompt_tokens == 20
    assert found.decode_only.mean_ms == pytest.approx((15 + 15 + 20 + 15) / 4)
    assert found.decode_only.token_ms == pytest.approx((15 + 15 + 2 * 20 + 15) / 5)
    assert found.decode_only.token_share == pytest.approx(5 / 6)
    assert found.most_decodes == 2


def test_without_any_second_token_there_is_no_tpot_and_no_share() -> None:
    found = outcome(served(sent((0, 5, 1))))
    assert math.isnan(found.mean_ms["tpot"])
    assert math.isnan(found.decode_only.token_share)
    assert found.mean_ms["e2el"] == found.mean_ms["ttft"]


def test_a_run_without_iterations_has_none() -> None:
    run = simulate(sent((0, 5, 3)), VllmV1(100, 10), Paged(10), Ticks(), log_iterations=False)
    with pytest.raises(BurstlabError, match="log_iterations"):
        outcome(run)
