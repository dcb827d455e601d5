from dataclasses import replace

import pytest
from tests.claims.made import claim

from burstlab.claims.check import Check, Subject, falls
from burstlab.claims.decide import Verdict, decide, trend_of
from burstlab.statistics.interval import Interval

FALL = Check(
    "change",
    "",
    "measured",
    Interval(-2.0, -3.0, -1.0, 5, "t"),
    falls(),
    Subject(platform="cpu"),
    p_value=0.001,
)
RISE = replace(FALL, interval=Interval(2.0, 1.0, 3.0, 5, "t"))
WIDE = replace(FALL, interval=Interval(0.0, -9.0, 9.0, 5, "t"), p_value=0.9)


def only(*checks: Check) -> Verdict:
    (verdict,) = decide(claim("B1"), checks)
    return verdict


@pytest.mark.parametrize(
    ("checks", "verdict", "trend"),
    [
        ([FALL, FALL], "reproduced", "holds"),
        ([FALL, WIDE], "inconclusive", "partly"),
        ([WIDE, WIDE], "inconclusive", "not told"),
        ([RISE, WIDE], "contradicted", "fails"),
        ([RISE, FALL], "contradicted", "mixed"),
    ],
)
def test_under_the_sources_conditions(checks: list[Check], verdict: str, trend: str) -> None:
    found = only(*(replace(check, direct=True) for check in checks))
    assert (found.verdict, found.trend) == (verdict, trend)
    elsewhere = only(*checks)
    assert (elsewhere.verdict, elsewhere.trend) == ("different conditions", trend)


def test_no_check_is_not_run() -> None:
    assert only().verdict == "not run"
    assert only(replace(FALL, headline=False)).verdict == "not run"


def test_what_informs_does_not_decide() -> None:
    assert only(FALL, replace(RISE, headline=False)).trend == "holds"


def test_what_informs_and_has_no_confound_stands_beside_what_has_one() -> None:
    confounded = replace(FALL, confounds=("graphs",))
    beside = replace(RISE, headline=False)
    found = only(confounded, beside)
    assert (found.verdict, found.trend, found.confounds) == ("different conditions", "holds", ("graphs",))
    assert [check.interval for check in found.informing] == [RISE.interval]


def test_what_informs_stands_in_one_verdict_of_its_platform() -> None:
    beside = replace(RISE, headline=False, confounds=("graphs",), direct=True)
    elsewhere = replace(beside, subject=Subject(platform="h200"))
    other, same = decide(claim("B1"), [FALL, replace(FALL, direct=True), beside, elsewhere])
    assert (len(other.informing), len(same.informing)) == (0, 1)


def test_evidence_platforms_and_conditions_each_have_their_own() -> None:
    simulated = replace(RISE, evidence="simulated")
    elsewhere = replace(WIDE, subject=Subject(platform="h200"))
    found = list(decide(claim("B1"), [FALL, simulated, elsewhere, replace(FALL, direct=True)]))
    assert [(one.evidence, one.platform, one.verdict, one.trend) for one in found] == [
        ("measured", "cpu", "different conditions", "holds"),
        ("measured", "cpu", "reproduced", "holds"),
        ("measured", "h200", "different conditions", "not told"),
        ("simulated", "cpu", "different conditions", "fails"),
    ]


def test_a_lucky_one_among_many_is_not_called() -> None:
    lucky = replace(FALL, p_value=0.04)
    assert only(lucky, *[WIDE] * 9).trend == "not told"
    assert only(lucky).trend == "holds"


def test_trends() -> None:
    assert trend_of(["holds"]) == "holds"
    assert trend_of(["not told", "fails"]) == "fails"
