"""The engine's log: no iteration that a reader finds is impossible, and none that is lost goes untold."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.fuzz.fuzzing import fuzzed, read_or_refused
from tests.fuzz.mutated_bytes import mutated

from burstlab.iterations.log import KINDS, IterationLog, parse_bytes, parse_log
from burstlab.iterations.summary import summarise

OLD = (
    "(EngineCore_DP0 pid=42) INFO 11-29 15:00:00 [core.py:343] Iteration({}): {} context requests, {} context tokens, "
    "{} generation requests, {} generation tokens, iteration elapsed time: {} ms\n"
)
NEW = (
    "\x1b[0;36m(APIServer pid=1)\x1b[0;0m INFO 11-29 15:00:00 [loggers.py:123] Engine 001: Iteration({}): {} context requests, "
    "{} context tokens, {} generation requests, {} generation tokens, iteration elapsed time: {} ms{}, "
    "GPU KV cache usage: {}%\n"
)
OTHER = "(APIServer pid=1) INFO [loggers.py:9] Engine 000: Avg prompt throughput: 1.0 tokens/s\n"
OLD_LOG = "".join(
    [
        OLD.format(0, 2, 30, 0, 0, "40.00"),
        OTHER,
        OLD.format(1, 0, 0, 3, 3, "10.99"),
        OLD.format(2, 1, 5, 1, 1, "3"),
    ]
).encode()
NEW_LOG = "".join(
    [
        NEW.format(0, 2, 30, 0, 0, "40.00", "", "1.2"),
        NEW.format(1, 0, 0, 0, 0, "0.01", "", "0.0"),
        OTHER,
        NEW.format(2, 0, 0, 3, 3, "10.99", " (dummy)", "2.5"),
        NEW.format(3, 1, 5, 1, 1, "3.5", "", "100.0"),
    ]
).encode()
LOGS = st.sampled_from((OLD_LOG, NEW_LOG, OLD_LOG + NEW_LOG))


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("log") / "engine.log"


def is_possible(log: IterationLog) -> None:
    for row in log.table.to_pylist():
        assert row["kind"] in KINDS
        assert row["elapsed_ms"] >= 0
        assert row["context_requests"] + row["generation_requests"] > 0
        assert min(row["context_tokens"], row["generation_tokens"], row["iteration"], row["replica"]) >= 0
        assert row["kv_usage"] is None or 0 <= row["kv_usage"] <= 1
    summarise(log.table)


def told(log: IterationLog) -> int:
    return log.table.num_rows + log.dummy_lines + log.idle_lines + log.unparsed_lines


@fuzzed(300)
@given(LOGS.flatmap(mutated))
def test_damaged_bytes(data: bytes) -> None:
    log = parse_bytes(data)
    is_possible(log)
    lines_end = data.rfind(b"\n") + 1
    assert told(log) >= data[:lines_end].count(b"Iteration(")
    assert log.unparsed_lines >= 0
    again = parse_bytes(log.lines)
    assert again.table.equals(log.table)
    assert (again.dummy_lines, again.idle_lines, again.unparsed_lines) == (
        log.dummy_lines,
        log.idle_lines,
        log.unparsed_lines,
    )


@fuzzed(200)
@given(LOGS.flatmap(mutated), st.integers(-5, 3000), st.none() | st.integers(-5, 3000))
def test_any_part_of_any_file(path: Path, data: bytes, start: int, end: int | None) -> None:
    path.write_bytes(data)
    log = read_or_refused(lambda: parse_log(path, start, end), path.name)
    if log is None:
        assert start < 0 or (end is not None and (end < start or end > len(data)))
    else:
        is_possible(log)
        assert log.table.num_rows <= parse_bytes(data).table.num_rows
