import numpy as np
import pyarrow as pa
import pytest

from burstlab.errors import BurstlabError
from burstlab.profiles.breakdown import Breakdown
from burstlab.profiles.families import parts
from burstlab.profiles.interference import Index, interference
from burstlab.profiles.schema import ITERATIONS


def made(kinds: str, tokens: list[int], process: int = 1, **times: list[float]) -> Breakdown:
    """Iterations of the kinds d (decode-only), m (mixed) and p (prefill-only), and their parts' times in µs."""
    words = {"d": "decode-only", "m": "mixed", "p": "prefill-only"}
    names = parts()
    time_us = np.zeros((len(kinds), len(names)))
    for part, values in times.items():
        time_us[:, names.index(part)] = values
    count = len(kinds)
    columns = {
        "process": [process] * count,
        "iteration": list(range(count)),
        "duration_us": time_us.sum(axis=1).tolist(),
        "generation_tokens": tokens,
        "kind": [words[letter] for letter in kinds],
    }
    rows = pa.table({name: columns.get(name, [0] * count) for name in ITERATIONS.names}).cast(ITERATIONS)
    return Breakdown(names, time_us, rows)


def by_part(found: list[Index]) -> dict[str, Index]:
    return {index.part: index for index in found}


def test_costs_for_each_token_by_hand() -> None:
    # Decode-only: 6 µs of attention for 6 tokens; mixed: 12 µs for 3 tokens. So 1 and 4 µs a token.
    found = by_part(interference(made("dmd", [2, 3, 4], attention=[2, 12, 4], gemm=[1, 1, 1])))
    assert (found["attention"].decode_only_us, found["attention"].mixed_us) == (1.0, 4.0)
    assert found["gemm"].decode_only_us == pytest.approx(2 / 6)
    assert found["iteration"].mixed_us == pytest.approx(13 / 3)


def test_costs_for_each_iteration_by_hand() -> None:
    found = by_part(interference(made("dmd", [2, 3, 4], attention=[2, 12, 4]), per="iteration"))
    assert (found["attention"].decode_only_us, found["attention"].mixed_us) == (3.0, 12.0)


def test_prefill_only_iterations_count_nowhere() -> None:
    with_prefill = interference(made("dmpd", [2, 3, 0, 4], attention=[2, 12, 999, 4]))
    assert by_part(with_prefill)["attention"].mixed_us == 4.0


def test_parts_that_take_no_time_are_not_there() -> None:
    assert by_part(interference(made("dm", [1, 1], gemm=[1, 1]))).keys() == {"iteration", "gemm"}


def test_too_few_iterations_for_an_interval() -> None:
    (whole, _) = interference(made("dm", [1, 1], gemm=[1, 1]))
    assert whole.interval is None
    assert whole.why == "2 iterations are too few for 4 blocks"


def test_without_noise_the_interval_has_no_width() -> None:
    found = by_part(interference(made("dm" * 200, [4, 2] * 200, attention=[4.0, 6.0] * 200)))
    interval = found["attention"].interval
    assert interval is not None
    # 400 iterations make five blocks of 80; 1 µs a token against 3.
    assert (interval.units, interval.estimate) == (5, pytest.approx(3.0))
    assert interval.high - interval.low == pytest.approx(0.0, abs=1e-9)


def test_a_part_that_runs_in_one_kind_alone_has_no_index() -> None:
    found = by_part(interference(made("dm" * 200, [1, 1] * 200, gdn=[0.0, 1.0] * 200)))
    assert found["gdn"].interval is None
    assert found["gdn"].why == "it runs in mixed iterations alone"


def test_all_mixed_iterations_in_one_block_give_no_interval() -> None:
    found = interference(made("m" * 5 + "d" * 395, [1] * 400, gemm=[2.0] * 5 + [1.0] * 395))
    assert {index.why for index in found} == {"one block of iterations has all of a kind"}


def test_whole_graphs_hide_their_parts_but_not_the_iteration() -> None:
    made_up = made("dm" * 200, [1, 1] * 200, graph=[5.0, 0.0] * 200, attention=[1.0, 4.0] * 200)
    found = by_part(interference(made_up))
    assert found["attention"].interval is None
    assert "--cuda-graph-trace=node" in (found["attention"].why or "")
    assert found["iteration"].interval is not None


@pytest.mark.parametrize(("kinds", "lacking"), [("dd", "mixed"), ("mp", "decode-only"), ("", "mixed")])
def test_both_kinds_must_be_there(kinds: str, lacking: str) -> None:
    with pytest.raises(BurstlabError, match=f"no {lacking} iteration"):
        interference(made(kinds, [1] * len(kinds), gemm=[1.0] * len(kinds)))


def test_processes_are_not_mixed() -> None:
    one, two = (made("dm", [1, 1], process, gemm=[1, 1]) for process in (1, 2))
    both = Breakdown(
        one.parts,
        np.concatenate([one.time_us, two.time_us]),
        pa.concat_tables([one.iterations, two.iterations]),
    )
    with pytest.raises(BurstlabError, match="2 processes"):
        interference(both)


def test_the_interval_holds_the_truth_as_often_as_it_says() -> None:
    generator = np.random.default_rng(4)
    held, runs = 0, 300
    for _ in range(runs):
        # Neighbours are correlated, in what they cost and in their kind; a mixed token costs 3 times as much.
        noise = np.zeros(800)
        for place in range(1, 800):
            noise[place] = 0.8 * noise[place - 1] + generator.normal(0, 0.15)
        mixed = np.repeat(generator.random(160) < 0.4, 5)
        tokens = generator.integers(1, 30, 800)
        cost = tokens * np.where(mixed, 3.0, 1.0) * np.exp(noise)
        kinds = "".join(np.where(mixed, "m", "d"))
        index = by_part(interference(made(kinds, tokens.tolist(), attention=cost.tolist())))["attention"]
        assert index.interval is not None
        held += index.interval.within(0, 1e9) and index.interval.low <= 3.0 <= index.interval.high
    # 95% of 300, and three standard errors of a share of that size.
    assert 0.95 - 3 * 0.0126 <= held / runs <= 0.95 + 3 * 0.0126
