"""What two tables say of a run, against the run itself: a simulated one, of which all is known."""

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st
from tests.simulator.made import Ticks, sent, served

from burstlab.simulator.costs.fitted.batches import Batch
from burstlab.simulator.costs.fitted.from_iterations import Span, rebuild
from burstlab.simulator.scheduling.vllm_v1 import VllmV1
from burstlab.simulator.tables import iterations_table, requests_table

MS = 10**9
# A whole millisecond for an iteration and for each token of a prompt, so that durations survive the way through the tables.
COSTS = Ticks(base=MS, prompt_token=MS)


def test_contexts_and_chunks_come_back() -> None:
    run = served(sent((0, 6, 3), (0, 8, 2)), VllmV1(10, 10), costs=COSTS)
    rebuilt = rebuild(requests_table(run), iterations_table(run))
    assert rebuilt.batches == [
        Batch(0, 0, [(6, 0), (4, 0)], 11.0),
        Batch(1, 6, [(4, 4)], 5.0),
        Batch(2, 15, [], 1.0),
    ]
    assert sorted(rebuilt.spans, key=lambda span: span.request) == [
        Span(0, first=0, last=2, alone=False),
        Span(1, first=1, last=2, alone=False),
    ]


def test_a_request_that_finds_the_engine_idle_runs_alone() -> None:
    run = served(sent((0, 6, 2), (100 * MS, 8, 1)), costs=COSTS)
    spans = rebuild(requests_table(run), iterations_table(run)).spans
    assert [(span.request, span.alone) for span in spans] == [(0, True), (1, True)]


class Recorder:
    """Costs that remember the batches they were asked for, one for each iteration."""

    def __init__(self) -> None:
        self.seen: list[tuple[int, int, list[tuple[int, int]]]] = []

    def decode(self, decodes: int, context_tokens: int):  # type: ignore[no-untyped-def]
        self.seen.append((decodes, context_tokens, []))
        return COSTS.decode(decodes, context_tokens)._replace(holds=1)

    def mixed(self, decodes: int, context_tokens: int, chunks: list[tuple[int, int]]) -> int:
        self.seen.append((decodes, context_tokens, list(chunks)))
        return COSTS.mixed(decodes, context_tokens, chunks)


_ROWS = st.lists(
    st.tuples(st.integers(0, 200), st.integers(1, 40), st.integers(1, 9)), min_size=1, max_size=10
)


@given(_ROWS, st.integers(8, 60))
def test_every_batch_is_the_one_that_ran(rows: list[tuple[int, int, int]], budget: int) -> None:
    gaps, prompts, outputs = np.array(rows).T
    requests = sent(*zip((np.cumsum(gaps) * MS).tolist(), prompts.tolist(), outputs.tolist(), strict=True))
    costs = Recorder()
    run = served(requests, VllmV1(budget, 8), costs=costs, longest_stretch=1)
    rebuilt = rebuild(requests_table(run), iterations_table(run))
    assert [
        (batch.decodes, batch.context_tokens, list(batch.chunks)) for batch in rebuilt.batches
    ] == costs.seen
    assert len(rebuilt.batches) == rebuilt.iterations


def tables(prompts: list[int], context: list[tuple[int, int]]) -> tuple[pa.Table, pa.Table]:
    """Requests of one token each, and iterations of (requests, tokens)."""
    count = len(prompts)
    requests = pa.table(
        {
            "request": list(range(count)),
            "send_s": [0.1 * number for number in range(count)],
            "prompt_tokens": prompts,
            "output_tokens": [1] * count,
        }
    )
    columns = list(zip(*context, strict=True))
    iterations = pa.table(
        {
            "context_requests": columns[0],
            "context_tokens": columns[1],
            "generation_requests": [0] * len(context),
            "elapsed_ms": [1.0] * len(context),
        }
    )
    return requests, iterations


def test_one_request_may_overtake_another() -> None:
    rebuilt = rebuild(*tables([10, 20, 30], [(1, 10), (1, 30), (1, 20)]))
    assert [list(batch.chunks) for batch in rebuilt.batches] == [[(10, 0)], [(30, 0)], [(20, 0)]]


def test_what_follows_a_contradiction_is_left_out() -> None:
    rebuilt = rebuild(*tables([10, 20, 30], [(1, 10), (1, 31), (1, 20)]))
    assert (len(rebuilt.batches), rebuilt.iterations) == (1, 3)
