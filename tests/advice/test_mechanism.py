import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.advice.made import MadeEngine, question

from burstlab.advice.compare import compare
from burstlab.advice.mechanism import SHARES, mechanism
from burstlab.statistics.interval import Interval


@settings(max_examples=10)
@given(rate=st.floats(0.5, 40), dearer=st.floats(1, 6))
def test_the_parts_add_up_to_the_change(rate: float, dearer: float) -> None:
    found = mechanism(compare(MadeEngine(dearer), question(rate, requests=40)))
    total = sum(part.estimate for part in found.parts.values())
    assert total == pytest.approx(found.change_ms.estimate, abs=1e-9)


def test_where_decodes_are_dear_beside_prompts_the_decode_only_share_is_responsible() -> None:
    found = mechanism(compare(MadeEngine(8.0), question(8.0)))
    assert found.responsible == SHARES
    assert found.parts[SHARES].high < 0
    assert found.bursty.decode_only_share > found.steady.decode_only_share
    assert found.steady.ratio > 3


def test_the_same_arrivals_change_nothing() -> None:
    found = mechanism(compare(MadeEngine(), question(bursty=1.0)))
    assert found.change_ms == Interval(0.0, 0.0, 0.0, 3, found.change_ms.method)
    assert found.steady == found.bursty


def test_requests_that_never_meet_have_no_mixed_iterations_to_blame() -> None:
    found = mechanism(compare(MadeEngine(), question(0.0001, bursty=0.5, requests=20)))
    assert found.steady.decode_only_share == 1.0
    assert found.change_ms.estimate == pytest.approx(sum(part.estimate for part in found.parts.values()))
