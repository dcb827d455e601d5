import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.errors import BurstlabError
from burstlab.iterations.log import SCHEMA, parse_bytes, parse_log

OLD = (
    b"(EngineCore_DP0 pid=42) INFO 11-29 15:00:00 [core.py:343] Iteration(515): 2 context requests, "
    b"300 context tokens, 20 generation requests, 21 generation tokens, iteration elapsed time: 10.99 ms\n"
)
NEW = (
    b"\x1b[0;36m(APIServer pid=123)\x1b[0;0m INFO 11-29 15:00:00 [loggers.py:123] Engine 001: Iteration(7): "
    b"0 context requests, 0 context tokens, 3 generation requests, 3 generation tokens, "
    b"iteration elapsed time: 4.50 ms, CPU KV cache usage: 1.2%\n"
)
OTHER = b"(APIServer pid=1) INFO [loggers.py:9] Engine 000: Avg prompt throughput: 1.0 tokens/s\n"


def line(context: int, generation: int, tail: bytes = b"") -> bytes:
    return (
        b"Engine 000: Iteration(1): %d context requests, %d context tokens, %d generation requests, "
        b"%d generation tokens, iteration elapsed time: 1.00 ms%s\n"
        % (context, context * 10, generation, generation, tail)
    )


def test_line_of_the_older_form() -> None:
    assert parse_bytes(OLD).table.to_pylist() == [
        {
            "iteration": 515,
            "replica": 0,
            "elapsed_ms": 10.99,
            "context_requests": 2,
            "context_tokens": 300,
            "generation_requests": 20,
            "generation_tokens": 21,
            "kv_usage": None,
            "kind": "mixed",
        }
    ]


def test_line_of_the_newer_form_has_replica_and_cache_usage() -> None:
    (row,) = parse_bytes(NEW).table.to_pylist()
    assert (row["iteration"], row["replica"], row["elapsed_ms"], row["kind"]) == (7, 1, 4.5, "decode-only")
    assert row["kv_usage"] == pytest.approx(0.012)


@pytest.mark.parametrize(
    "tail",
    [
        b", GPU KV cache usage: 99.9%",
        b", GPU KV cache usage: 0.0%, encoder inputs: 1, encoder output embeddings: 64",
        b"\x1b[0m",
        b"\r",
    ],
)
def test_ends_that_a_line_may_have(tail: bytes) -> None:
    log = parse_bytes(line(1, 0, tail))
    assert (log.table.num_rows, log.unparsed_lines) == (1, 0)


def test_kinds_follow_from_the_requests() -> None:
    table = parse_bytes(line(0, 4) + line(1, 0) + line(2, 9)).table
    assert table["kind"].to_pylist() == ["decode-only", "prefill-only", "mixed"]


def test_dummy_and_idle_steps_are_counted_and_left_out() -> None:
    log = parse_bytes(
        line(0, 0, b" (dummy)")
        + line(0, 0)
        + line(0, 1, b", CPU KV cache usage: 0.1%")
        + line(0, 0, b" (dummy), GPU KV cache usage: 0.0%")
    )
    assert (log.table.num_rows, log.dummy_lines, log.idle_lines, log.unparsed_lines) == (1, 2, 1, 0)


def test_lines_of_others_are_ignored() -> None:
    log = parse_bytes(OTHER + OLD + OTHER)
    assert (log.table.num_rows, log.unparsed_lines) == (1, 0)


def test_a_line_with_another_written_into_it_is_counted() -> None:
    garbled = OLD[:100] + OTHER
    log = parse_bytes(garbled + OLD)
    assert (log.table.num_rows, log.unparsed_lines) == (1, 1)


def test_an_iteration_cut_off_by_another_on_its_line_is_counted() -> None:
    log = parse_bytes(OLD[:130] + NEW)
    assert (log.table["iteration"].to_pylist(), log.unparsed_lines) == ([7], 1)


def test_a_cache_used_beyond_all_of_it_is_garbled() -> None:
    log = parse_bytes(NEW.replace(b"1.2%", b"100.1%") + NEW.replace(b"1.2%", b"100.0%"))
    assert (log.table["kv_usage"].to_pylist(), log.unparsed_lines) == ([1.0], 1)


def test_cut_ends_count_once_whichever_half_is_left() -> None:
    assert parse_bytes(OLD + OLD[-40:] + OLD[:70]).unparsed_lines == 2


def test_a_last_line_without_its_end_is_not_read() -> None:
    # "10.9" is a number too, but not the one that was written.
    cut = OLD[: OLD.index(b"10.99") + 4]
    assert parse_bytes(OLD + cut).table["elapsed_ms"].to_pylist() == [10.99]
    assert parse_bytes(OLD + cut).unparsed_lines == 1


def test_byte_range_selects_whole_lines(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    path.write_bytes(OLD + NEW + OLD)
    after_first = len(OLD)
    assert parse_log(path, after_first, after_first + len(NEW)).table["iteration"].to_pylist() == [7]
    assert parse_log(path, after_first).table.num_rows == 2
    assert parse_log(path).table.num_rows == 3


def test_byte_range_that_cuts_lines_drops_them(tmp_path: Path) -> None:
    path = tmp_path / "engine.log"
    path.write_bytes(OLD + NEW + OLD)
    assert parse_log(path, 1, len(OLD) + len(NEW) + 60).table["iteration"].to_pylist() == [7]
    # Cut inside "Engine 001: ", which must not make it an iteration of replica 0.
    inside = len(OLD) + NEW.index(b"001: ")
    assert parse_log(path, inside).table["iteration"].to_pylist() == [515]


@pytest.mark.parametrize(("start", "end"), [(-1, 2), (5, 4), (0, 10_000)])
def test_impossible_ranges_are_errors(tmp_path: Path, start: int, end: int) -> None:
    path = tmp_path / "engine.log"
    path.write_bytes(OLD)
    with pytest.raises(BurstlabError, match=r"engine\.log"):
        parse_log(path, start, end)


def test_missing_log_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(BurstlabError, match=r"none\.log: cannot be read"):
        parse_log(tmp_path / "none.log")


def test_a_hundred_thousand_lines_take_about_half_a_second() -> None:
    data = (NEW + OLD) * 50_000
    # Processor time, as other work on the machine is no fault of this code.
    started_s = time.process_time()
    assert parse_bytes(data).table.num_rows == 100_000
    assert time.process_time() - started_s < 2  # measured: 0.5 s


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=80), st.sampled_from([OLD, NEW, OTHER, OLD[:90], NEW[40:], b"Iteration("])
        )
    )
)
def test_any_bytes_give_a_table_and_no_line_is_lost(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    log = parse_bytes(data)
    assert log.table.schema == SCHEMA
    assert log.unparsed_lines >= 0
    pieces_of = (b"Iteration(", b"iteration elapsed time:")
    alike = sum(max(part.count(piece) for piece in pieces_of) for part in data.split(b"\n"))
    assert log.table.num_rows + log.dummy_lines + log.idle_lines + log.unparsed_lines == alike
    again = parse_bytes(log.lines)
    assert again.table.equals(log.table)
    assert (again.unparsed_lines, again.lines) == (log.unparsed_lines, log.lines)


def test_the_lines_kept_are_those_of_iterations_and_no_other() -> None:
    assert parse_bytes(OTHER + OLD + OTHER + NEW).lines == OLD + NEW
    assert parse_bytes(OTHER).lines == b""


@given(st.integers(0, len(OLD + NEW + OLD)), st.integers(0, len(OLD + NEW + OLD)))
def test_any_range_reads_only_whole_lines(
    tmp_path_factory: pytest.TempPathFactory, one: int, other: int
) -> None:
    path = tmp_path_factory.mktemp("log") / "engine.log"
    path.write_bytes(OLD + NEW + OLD)
    rows = parse_log(path, min(one, other), max(one, other)).table.to_pylist()
    assert {(row["iteration"], row["replica"], row["elapsed_ms"]) for row in rows} <= {
        (515, 0, 10.99),
        (7, 1, 4.5),
    }
