from typing import Any

import pytest
from pydantic import ValidationError

from burstlab.claims.schema import Claim, Ledger, Published, Where

ENTRY: dict[str, Any] = {
    "id": "B1",
    "source": "study",
    "statement": "It falls.",
    "kind": "trend",
    "conditions": "all",
    "needs": "cells",
}


def test_an_unknown_key_is_refused() -> None:
    with pytest.raises(ValidationError, match="tolerence"):
        Claim(**ENTRY, tolerence=0.1)


def test_a_tolerance_needs_its_reason() -> None:
    with pytest.raises(ValidationError, match="go together"):
        Claim(**ENTRY, tolerance=0.1)


@pytest.mark.parametrize("wrong", [{"id": "X1"}, {"kind": "guess"}, {"statement": ""}, {"tolerance": -1.0}])
def test_wrong_values_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Claim(**{**ENTRY, **wrong})


def test_no_claim_stands_twice() -> None:
    with pytest.raises(ValidationError, match="given twice: B1"):
        Ledger(claims=(Claim(**ENTRY), Claim(**ENTRY)))


def test_rounding_is_half_of_the_last_digit_printed() -> None:
    assert Published(name="x", value=26.05, unit="ms", digits=2).rounding == pytest.approx(0.005)
    assert Published(name="x", value=60, unit="GB/s", digits=-1).rounding == pytest.approx(5.0)


def test_a_number_that_is_not_published_is_named() -> None:
    with pytest.raises(KeyError, match="claim B1 publishes no height"):
        Claim(**ENTRY).value("height")


def test_where_takes_starts_of_workloads_and_whole_names_of_the_rest() -> None:
    where = Where(platforms=("gh200",), workloads=("burstgpt",))
    assert where.holds("gh200", "any", "burstgpt-750")
    assert not where.holds("gh200", "any", "synthetic-burstgpt")
    assert not where.holds("gh200x", "any", "burstgpt")
