"""The whole answer, of an engine whose costs are made up."""

import json
from dataclasses import replace

import pytest
from tests.advice.made import MadeEngine, question

from burstlab.advice.answer import BOTH, HELPS, HURTS, UNTOLD, Answer, answer
from burstlab.advice.as_json import as_json
from burstlab.advice.tell import change, tell
from burstlab.statistics.interval import Interval


def with_changes(found: Answer, **changes: Interval) -> Answer:
    """The answer, if metrics had changed so."""
    latencies = [replace(one, change=changes.get(one.metric, one.change)) for one in found.latencies]
    return replace(found, latencies=latencies)


@pytest.fixture(scope="module")
def dear() -> Answer:
    return answer(MadeEngine(8.0), question(8.0))


@pytest.fixture(scope="module")
def plain() -> Answer:
    return answer(MadeEngine(), question(10.0))


def test_bursts_shorten_tpot_where_decodes_are_dear_beside_prompts_and_lengthen_it_elsewhere(
    dear: Answer, plain: Answer
) -> None:
    assert dear.latency("mean", "tpot").change.high < 0
    assert plain.latency("mean", "tpot").change.low > 0
    assert dear.verdict in (HELPS, BOTH)
    assert plain.verdict == HURTS


def test_the_same_arrivals_change_nothing() -> None:
    found = answer(MadeEngine(), question(bursty=1.0, requests=30))
    assert found.verdict == UNTOLD
    assert all(one.change.low == one.change.high == 0 for one in found.latencies)
    assert "Whether it changes at all is not told" in " ".join(tell(found))


def test_the_load_is_the_rate_over_what_is_served_when_all_come_at_once(plain: Answer) -> None:
    assert plain.load == pytest.approx(10.0 / plain.capacity_per_s)
    assert [row.rate_per_s / plain.capacity_per_s for row in plain.loads] == pytest.approx(
        [row.load for row in plain.loads]
    )


def test_the_text_says_that_it_is_simulated_and_what_it_found(dear: Answer) -> None:
    lines = list(tell(dear))
    assert lines[0] == "Simulated, not measured: a made-up engine."
    text = " ".join(" ".join(lines).split())
    for words in (
        "Burstiness helps",
        "mean TPOT −",
        "median E2EL",
        "Mostly responsible",
        "At other loads",
        "+20% load",
    ):
        assert words in text


def test_the_rate_that_was_asked_for_counts_where_the_answer_turns(plain: Answer) -> None:
    falls, rises = Interval(-0.3, -0.4, -0.2, 3, ""), Interval(0.3, 0.2, 0.4, 3, "")
    text = " ".join(tell(with_changes(plain, tpot=falls, e2el=falls)))
    assert "The answer on TPOT does not turn round" not in text
    text = " ".join(tell(with_changes(plain, tpot=rises, e2el=rises)))
    assert "The answer on TPOT does not turn round: wherever it is told, bursts lengthen it" in text


@pytest.mark.parametrize(
    ("tpot", "e2el", "words"),
    [
        (-0.3, -0.3, "Burstiness helps: mean TPOT"),
        (0.3, 0.0, "Burstiness hurts TPOT; whether it does so to E2EL is not told: mean TPOT"),
        (0.0, -0.3, "Burstiness helps E2EL; whether it does so to TPOT is not told: mean TPOT"),
        (0.3, -0.3, "Burstiness helps in part: mean TPOT"),
        (0.0, 0.0, "Whether burstiness helps is not told: mean TPOT"),
    ],
)
def test_the_headline_says_of_which_latency_it_is(
    plain: Answer, tpot: float, e2el: float, words: str
) -> None:
    changes = [Interval(one, one - 0.1, one + 0.1, 3, "") for one in (tpot, e2el)]
    assert words in " ".join(tell(with_changes(plain, tpot=changes[0], e2el=changes[1])))


def test_json_has_the_same_numbers_and_no_nan(dear: Answer) -> None:
    found = json.loads(as_json(dear))
    assert found["evidence"] == "simulated"
    assert found["verdict"] == dear.verdict
    tpot = next(one for one in found["latencies"] if (one["statistic"], one["metric"]) == ("mean", "tpot"))
    assert tpot["change"]["low"] == dear.latency("mean", "tpot").change.low
    assert len(found["loads"]) == len(dear.loads)


def test_outputs_of_one_token_have_no_tpot_and_that_is_said() -> None:
    found = answer(MadeEngine(), question(sizes="100/1", requests=20))
    text = "\n".join(tell(found))
    assert "mean TPOT has no value" in text
    assert "No request has a second token" in text
    assert "E2EL +" in text
    assert not any(words in text for words in ("nan", "responsible", "decides"))
    assert json.loads(as_json(found))["mechanism"]["steady"]["decode_only_ms"] is None


def test_a_change_that_is_not_told_says_so() -> None:
    assert change(Interval(-0.1, -0.3, 0.1, 5, "")) == "−10% (−30 to +10%), not told"
    assert change(Interval(-0.41, -0.45, -0.36, 5, "")) == "−41% (−45 to −36%)"
