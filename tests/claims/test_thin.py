"""Groups of two pairs: shown, and in no verdict."""

from dataclasses import replace
from pathlib import Path

from tests.claims.made import CPU, cells, claim, evidence

from burstlab.claims.check import Check, Subject, adjusted, falls
from burstlab.claims.decide import decide
from burstlab.claims.judge import judge
from burstlab.claims.summary import summarise
from burstlab.claims.table import verdict_row
from burstlab.statistics.interval import Interval, exact

FALL = Check(
    "change",
    "",
    "measured",
    Interval(-2.0, -3.0, -1.0, 5, "t"),
    falls(),
    Subject(platform="cpu"),
    direct=True,
    p_value=0.001,
)
THIN = replace(FALL, interval=Interval(-2.0, -90.0, 86.0, 2, "t"), p_value=0.6)


def test_two_pairs_tell_nothing_whatever_their_interval() -> None:
    lucky = replace(THIN, interval=Interval(-2.0, -2.1, -1.9, 2, "t"))
    assert (lucky.thin, lucky.result) == (True, "not told")
    assert not replace(lucky, interval=Interval(-2.0, -2.1, -1.9, 3, "t")).thin
    assert not replace(FALL, interval=exact(-1.0)).thin


def test_they_are_left_out_of_the_verdict_and_of_its_interval() -> None:
    (verdict,) = decide(claim("B1"), [FALL, THIN, FALL])
    assert (verdict.verdict, verdict.trend) == ("reproduced", "holds")
    row = verdict_row(verdict)
    assert (row["low"], row["high"], row["groups"]) == (-3.0, -1.0, 2)
    assert (
        "1 check of fewer than 3 pairs of seeds, on which no verdict rests: left out of counts"
        in row["summary"]
    )


def test_what_only_informs_is_without_them_too() -> None:
    beside = replace(FALL, quantity="part", headline=False)
    (verdict,) = decide(claim("B1"), [FALL, beside, replace(THIN, quantity="part", headline=False)])
    assert "Part: −2 (95% interval −3 to −1)" in summarise(verdict)


def test_they_do_not_weaken_what_others_tell() -> None:
    close = replace(FALL, p_value=0.03)
    assert adjusted([close, *[THIN] * 9])[0].result == "holds"


def test_where_there_is_nothing_else_the_data_do_not_tell() -> None:
    (verdict,) = decide(claim("B1"), [THIN, THIN])
    assert (verdict.verdict, verdict.trend) == ("inconclusive", "not told")
    assert verdict_row(verdict)["groups"] == 2
    (elsewhere,) = decide(claim("B1"), [replace(THIN, direct=False)])
    assert elsewhere.verdict == "different conditions"


def test_a_study_with_two_seeds_in_one_group(tmp_path: Path) -> None:
    other = CPU | {"workload": "synthetic-sharegpt"}
    rows = cells(1.0) + cells(0.1, decode_only_token_share=0.9)
    rows += cells(1.0, other, seeds=2) + cells(0.1, other, seeds=2, decode_only_token_share=0.9)
    (verdict,) = judge([claim("B6")], evidence(tmp_path, rows))
    assert verdict.trend == "holds"
    assert [check.interval.units for check in verdict.checks] == [5, 2]
    assert "holds" in summarise(verdict)
