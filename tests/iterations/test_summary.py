import pyarrow as pa
import pytest

from burstlab.iterations.log import SCHEMA
from burstlab.iterations.summary import KindSummary, expected_interval_ms, summarise


def table(*rows: tuple[str, float, int, int]) -> pa.Table:
    """Rows of kind, elapsed_ms, context tokens, generation tokens."""
    return pa.Table.from_pylist(
        [
            {
                "iteration": number,
                "replica": 0,
                "elapsed_ms": elapsed_ms,
                "context_requests": 1 if context else 0,
                "context_tokens": context,
                "generation_requests": generation,
                "generation_tokens": generation,
                "kv_usage": None,
                "kind": kind,
            }
            for number, (kind, elapsed_ms, context, generation) in enumerate(rows)
        ],
        schema=SCHEMA,
    )


def test_counts_shares_and_means_by_kind() -> None:
    kinds = summarise(
        table(
            ("decode-only", 10.0, 0, 4),
            ("decode-only", 20.0, 0, 2),
            ("mixed", 100.0, 200, 2),
            ("prefill-only", 50.0, 300, 0),
        )
    )
    assert kinds["decode-only"] == KindSummary(2, 6, 0.75, 15.0, 3.0)
    assert kinds["mixed"] == KindSummary(1, 2, 0.25, 100.0, 202.0)
    assert kinds["prefill-only"] == KindSummary(1, 0, 0.0, 50.0, 300.0)
    assert expected_interval_ms(kinds) == 0.75 * 15 + 0.25 * 100


def test_expected_interval_of_the_published_shares() -> None:
    # Claims B3 and B5: 71.2% of tokens at 26.05 ms and 28.8% at 156.98 ms.
    kinds = {
        "decode-only": KindSummary(1000, 712, 0.712, 26.05, 1.0),
        "mixed": KindSummary(100, 288, 0.288, 156.98, 2074.0),
    }
    assert expected_interval_ms(kinds) == pytest.approx(63.758, abs=5e-4)


def test_published_shares_out_of_a_log() -> None:
    kinds = summarise(
        table(("decode-only", 26.05, 0, 712), ("mixed", 156.98, 500, 288), ("prefill-only", 900.0, 500, 0))
    )
    assert expected_interval_ms(kinds) == pytest.approx(63.758, abs=5e-4)


def test_one_kind_alone_needs_no_other() -> None:
    assert expected_interval_ms(summarise(table(("decode-only", 12.5, 0, 3)))) == 12.5


@pytest.mark.parametrize("rows", [(), (("prefill-only", 5.0, 100, 0),)])
def test_no_token_no_interval(rows: tuple[tuple[str, float, int, int], ...]) -> None:
    kinds = summarise(table(*rows))
    assert expected_interval_ms(kinds) is None
    assert kinds["decode-only"] == KindSummary(0, 0, None, None, None)
