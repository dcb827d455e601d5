from dataclasses import replace

from tests.claims.made import claim

from burstlab.claims.check import Check, Subject, falls, near, near_change, unclaimed
from burstlab.claims.decide import Verdict, decide
from burstlab.claims.schema import Published
from burstlab.claims.summary import published_text, size, span, summarise
from burstlab.statistics.interval import Interval, exact

FALL = Check(
    "relative change of TPOT",
    "",
    "measured",
    Interval(-0.2, -0.3, -0.1, 5, "t"),
    falls(),
    Subject(platform="cpu", setting="b=1 → 0.1"),
    p_value=0.001,
)


def said(*checks: Check) -> str:
    (verdict,) = decide(claim("B1"), checks)
    return summarise(verdict)


def test_one_group_is_said_with_its_interval() -> None:
    assert said(FALL) == ("Relative change of TPOT: −20% (95% interval −30 to −10%), claimed falls: holds.")


def test_several_groups_are_counted() -> None:
    wide = replace(FALL, interval=Interval(0.1, -0.4, 0.6, 5, "t"), p_value=0.7)
    assert said(FALL, FALL, wide) == (
        "Relative change of TPOT, claimed falls: holds in 2, not told in 1 of 3 groups "
        "(median −20%, 95% intervals within −40 to +60%)."
    )


def test_what_only_informs_says_where_it_went() -> None:
    beside = replace(FALL, quantity="part", unit="ms", region=unclaimed(), headline=False)
    assert said(FALL, beside).endswith(
        "Beside it: Part: fell in 1 of 1 group (−0.2 ms (95% interval −0.3 to −0.1 ms))."
    )


def test_exact_results_have_no_interval_and_settings_that_do_not_hold_are_named() -> None:
    one = Check("x", "blocks", "published", exact(4.0), near(4.0, 0.0, "4"), Subject(setting="a"))
    other = replace(one, interval=exact(5.0), subject=Subject(setting="b"))
    assert said(one) == "X: 4 blocks, claimed 4: holds."
    assert said(one, other).endswith("; not known to hold at b.")


def test_what_was_not_run_says_what_is_missing_and_how_to_run_it() -> None:
    with_command = summarise(Verdict(claim("B2"), "not run", "", "", "", ()))
    assert with_command.startswith("Missing: cells of Qwen3.5-9B")
    assert with_command.endswith("`make study CONFIG=config/seed-study.yaml` would run it.")
    assert summarise(Verdict(claim("S3"), "not run", "", "", "", ())).endswith("no command runs it yet.")


def test_units() -> None:
    share = replace(FALL, quantity="change of the share")
    assert size(replace(FALL, quantity="spared of an iteration"), 1.95) == "+195%"
    assert size(share, 0.0825) == "+8.25 points"
    assert span(replace(FALL, quantity="time", unit="ms"), -1.5, 1234.5) == "−1.5 to 1,234 ms"
    assert published_text(Published(name="context", value=1e6, unit="tokens")) == "context 1,000,000 tokens"
    fall = Published(name="mean TPOT, relative change", value=-0.57, unit="", digits=2)
    assert published_text(fall) == "mean TPOT, relative change −57%"


def test_large_numbers_have_no_exponent() -> None:
    assert span(FALL, -15.9, 254.784) == "−1,590 to +25,478%"
    assert size(replace(FALL, quantity="time", unit="ms"), 123456.0) == "123,456 ms"
    assert size(FALL, 9.997) == "+1,000%"


def test_a_claimed_size_of_a_change_is_in_percent_as_what_is_found_is() -> None:
    assert near_change(-0.5, 0.15).words == "−50 ± 15%"
