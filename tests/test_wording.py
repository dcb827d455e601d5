import math

import pytest

from burstlab.wording import count, quantity, rate, signed


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.0, "0"),
        (0.012345, "0.0123"),
        (1.5, "1.50"),
        (38.94, "38.9"),
        (1280.4, "1,280"),
        (-12.84, "−12.8"),
        (-1e-12, "0.000000"),
        (None, "–"),
        (math.nan, "–"),
        (math.inf, "∞"),
    ],
)
def test_three_significant_digits(value: float | None, text: str) -> None:
    assert quantity(value) == text


def test_units_signs_and_plurals() -> None:
    assert quantity(2.0, "ms") == "2.00 ms"
    assert signed(2.0) == "+2.00"
    assert signed(-2.0, "ms") == "−2.00 ms"
    assert count(1, "cell") == "1 cell"
    assert count(1200, "cell") == "1,200 cells"
    assert rate(math.inf) == "all at once"
    assert rate(0.5) == "0.5 req/s"
