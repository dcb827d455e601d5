import numpy as np
import pytest
from tests.simulator.made import Ticks, sent, served

from burstlab.errors import BurstlabError
from burstlab.simulator.costs.fitted.delays import fit_delays
from burstlab.simulator.costs.fitted.from_iterations import rebuild
from burstlab.simulator.loop import Delays
from burstlab.simulator.tables import iterations_table, requests_table

MS = 10**9


def test_the_delays_of_a_simulated_run_come_back() -> None:
    true = Delays(ingress_ps=6 * MS, pause_ps=MS, pause_each_ps=MS // 4)
    gaps = np.random.default_rng(0).exponential(120 * MS, 200).astype(np.int64)
    requests = sent(
        *((int(send), 20 + number % 7, 3 + number % 9) for number, send in enumerate(np.cumsum(gaps)))
    )
    run = served(requests, costs=Ticks(base=10 * MS, prompt_token=MS), delays=true)
    table = requests_table(run)
    found = fit_delays([(table, rebuild(table, iterations_table(run)))])
    # Known as well as requests happened to find an iteration just begun, or about to begin.
    assert found.ingress_ps == pytest.approx(true.ingress_ps, abs=MS)
    assert found.pause_ps == pytest.approx(true.pause_ps, rel=1e-3)
    assert found.pause_each_ps == pytest.approx(true.pause_each_ps, rel=1e-3)


def test_too_few_requests_tell_nothing() -> None:
    run = served(sent((0, 5, 3), (0, 5, 3)))
    table = requests_table(run)
    with pytest.raises(
        BurstlabError, match="2 requests with two tokens or more, and 0 whose prompt ran as the only one"
    ):
        fit_delays([(table, rebuild(table, iterations_table(run)))])
