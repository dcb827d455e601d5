"""The client's lateness is told apart: what its schedule lost, and what its tasks waited."""

import json
from pathlib import Path

import numpy as np
import pytest

from burstlab.bench.delays import client_delays
from burstlab.bench.requests_table import Bench, read_bench


def bench(folder: Path, start_times: list[float]) -> Bench:
    number = len(start_times)
    content = {
        "duration": 1.0,
        "completed": number,
        "input_lens": [1] * number,
        "output_lens": [1] * number,
        "ttfts": [0.1] * number,
        "itls": [[]] * number,
        "start_times": start_times,
        "errors": [""] * number,
    }
    (folder / "bench.json").write_text(json.dumps(content))
    return read_bench(folder / "bench.json")


def test_slip_and_delay_add_up_to_the_lateness(tmp_path: Path) -> None:
    # Planned at 10 and 11; let go 2 and 4 ms late; started 1 and 5 ms after that.
    found = client_delays(bench(tmp_path, [10.003, 11.009]), np.array([0.0, 1.0]), 10.0, [10.002, 11.004])
    assert found is not None
    assert found.schedule_slip.p50_ms == pytest.approx(3.0)
    assert found.schedule_slip.max_ms == pytest.approx(4.0)
    assert found.start_delay.p50_ms == pytest.approx(3.0)
    assert found.start_delay.max_ms == pytest.approx(5.0)


def test_a_request_that_was_never_sent_has_no_delay(tmp_path: Path) -> None:
    found = client_delays(bench(tmp_path, [10.003, 0.0]), np.array([0.0, 1.0]), 10.0, [10.002, 11.004])
    assert found is not None
    assert found.schedule_slip.max_ms == pytest.approx(2.0)


def test_without_the_clients_times_there_is_nothing_to_tell(tmp_path: Path) -> None:
    assert client_delays(bench(tmp_path, [10.003, 11.009]), np.array([0.0, 1.0]), 10.0, []) is None
