"""Iterations and arrivals on one axis: the clocks are set so far apart by hand, and found again."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.bench.requests_table import SCHEMA
from burstlab.profiles.alignment import Alignment, align
from burstlab.profiles.profile import Profile
from burstlab.profiles.schema import ITERATIONS, LAUNCHES
from burstlab.profiles.timeline import ARRIVAL, ITERATION, timeline

PROCESS = 7


def iteration(begin_ms: float, end_ms: float, prompt_tokens: int, decodes: int = 0) -> dict[str, Any]:
    return {
        "process": PROCESS,
        "iteration": 0,
        "begin_us": begin_ms * 1000,
        "duration_us": (end_ms - begin_ms) * 1000,
        "range_us": 0.0,
        "busy_us": 0.0,
        "launches": 0,
        "context_requests": int(prompt_tokens > 0),
        "context_tokens": prompt_tokens,
        "generation_requests": decodes,
        "generation_tokens": decodes,
        "kind": "mixed" if decodes and prompt_tokens else "decode-only" if decodes else "prefill-only",
    }


def request(send_ms: float, first_token_ms: float | None, prompt_tokens: int) -> dict[str, Any]:
    return {
        "request": 0,
        "planned_send_s": send_ms / 1000,
        "send_s": send_ms / 1000,
        "prompt_tokens": prompt_tokens,
        "output_tokens": 2,
        "ttft_ms": None if first_token_ms is None else first_token_ms - send_ms,
    }


def tables(iterations: list[dict[str, Any]], requests: list[dict[str, Any]]) -> tuple[pa.Table, pa.Table]:
    return pa.Table.from_pylist(iterations, ITERATIONS), pa.Table.from_pylist(requests, SCHEMA)


# On the trace's clock, 1,000 ms ahead of the client's: the first prompt is sent at 1,000 and taken at 1,004, its token leaves at
# 1,030 and arrives at 1,032; the second is sent at 1,040, waits for the decode that ends at 1,060, and arrives at 1,105.
ONE_BY_ONE = (
    [iteration(1004, 1030, 100), iteration(1030, 1060, 0, 1), iteration(1060, 1100, 50, 1)],
    [request(0, 32, 100), request(40, 105, 50)],
)


def test_what_cannot_be_otherwise_bounds_the_clocks() -> None:
    found = align(*tables(*ONE_BY_ONE))
    assert isinstance(found, Alignment)
    # First tokens say 998 or more (1,030 − 32), sending says 1,004 or less.
    assert (found.offset_ms, found.within_ms) == pytest.approx((1001, 3))


def test_a_prompt_in_chunks_begins_with_its_first_and_ends_with_its_last() -> None:
    found = align(
        *tables([iteration(500, 520, 60), iteration(520, 540, 40), iteration(540, 550, 30)],
                [request(0, 45, 100), request(1, 60, 30)])
    )  # fmt: skip
    assert isinstance(found, Alignment)
    assert (found.offset_ms, found.within_ms) == pytest.approx((497.5, 2.5))


@pytest.mark.parametrize(
    ("iterations", "requests", "reason"),
    [
        (
            ONE_BY_ONE[0][:2],
            ONE_BY_ONE[1],
            "the iterations computed 100 tokens of prompts, the requests have 150",
        ),
        (ONE_BY_ONE[0], [request(0, 32, 100), request(40, None, 50)], "not every request got a first token"),
        ([], ONE_BY_ONE[1], "there are no iterations or no requests"),
        (
            [iteration(0, 10, 100), iteration(10, 20, 50)],
            [request(0, 900, 100), request(1, 2, 50)],
            "prompts were not computed in the order in which they were sent",
        ),
    ],
)
def test_where_they_cannot_be_brought_together_it_is_said_why(
    iterations: list[dict[str, Any]], requests: list[dict[str, Any]], reason: str
) -> None:
    assert align(*tables(iterations, requests)) == reason


@given(
    st.lists(
        st.tuples(st.floats(0, 50), st.floats(1, 40), st.floats(0, 20), st.integers(1, 300)),
        min_size=1,
        max_size=12,
    ),
    st.floats(-1e5, 1e5),
)
def test_the_true_offset_is_within_what_is_told(
    prompts: list[tuple[float, float, float, int]], offset_ms: float
) -> None:
    """A server that takes one prompt after the other; each is sent `wait` before it is taken, its token is `late`."""
    iterations, requests, now = [], [], 0.0
    for wait, takes, late, tokens in prompts:
        sent = now
        begin = now + wait
        iterations.append(iteration(begin + offset_ms, begin + takes + offset_ms, tokens))
        requests.append(request(sent, begin + takes + late, tokens))
        now = begin + takes
    found = align(*tables(iterations, requests))
    assert isinstance(found, Alignment)
    assert abs(found.offset_ms - offset_ms) <= found.within_ms + 1e-6


def test_both_are_on_the_axis_of_the_first_iteration() -> None:
    iterations, requests = tables(*ONE_BY_ONE)
    rows = list(timeline(Profile(Path("trace"), LAUNCHES.empty_table(), iterations), PROCESS, requests))
    assert [row["begin_ms"] for row in rows if row["what"] == ITERATION] == pytest.approx([0, 26, 56])
    arrivals = [row for row in rows if row["what"] == ARRIVAL]
    assert [row["begin_ms"] for row in arrivals] == pytest.approx([-3, 37])
    assert [row["context_tokens"] for row in arrivals] == [100, 50]
    assert [row["within_ms"] for row in arrivals] == pytest.approx([3, 3])


def test_without_an_alignment_the_iterations_say_why() -> None:
    iterations, requests = tables(ONE_BY_ONE[0][:2], ONE_BY_ONE[1])
    rows = list(timeline(Profile(Path("trace"), LAUNCHES.empty_table(), iterations), PROCESS, requests))
    assert {row["what"] for row in rows} == {ITERATION}
    assert all("tokens of prompts" in str(row["why"]) for row in rows)


def test_what_has_one_clock_needs_no_alignment() -> None:
    # More was computed than was sent, as after a preemption, so that nothing could be aligned.
    iterations, requests = tables(ONE_BY_ONE[0], ONE_BY_ONE[1][:1])
    profile = Profile(Path("trace"), LAUNCHES.empty_table(), iterations)
    (arrival,) = [
        row for row in timeline(profile, PROCESS, requests, same_clock=True) if row["what"] == ARRIVAL
    ]
    zero_ms = iterations["begin_us"][0].as_py() / 1000
    assert arrival["begin_ms"] == requests["send_s"][0].as_py() * 1000 - zero_ms
    assert arrival["within_ms"] == 0
