import pytest
from hypothesis import given
from hypothesis import strategies as st

from burstlab.statistics.multiple import benjamini_hochberg

p_values = st.lists(st.floats(0, 1), min_size=1, max_size=30)


def test_three_by_hand() -> None:
    # 0.01·3/1 = 0.03; 0.03·3/2 = 0.045, but 0.04·3/3 = 0.04 is less; 0.04.
    assert benjamini_hochberg([0.04, 0.01, 0.03]) == pytest.approx([0.04, 0.03, 0.04])


def test_none_and_one() -> None:
    assert benjamini_hochberg([]) == []
    assert benjamini_hochberg([0.2]) == [0.2]


@given(p_values)
def test_it_keeps_the_order_and_only_raises(values: list[float]) -> None:
    found = benjamini_hochberg(values)
    assert all(after >= before - 1e-12 and after <= 1 for before, after in zip(values, found, strict=True))
    ordered = [value for _, value in sorted(zip(values, found, strict=True))]
    assert ordered == sorted(ordered)


@given(p_values, st.integers(0, 29))
def test_a_smaller_p_value_never_raises_another(values: list[float], which: int) -> None:
    lowered = list(values)
    lowered[which % len(values)] = 0.0
    before, after = benjamini_hochberg(values), benjamini_hochberg(lowered)
    assert all(new <= old + 1e-12 for old, new in zip(before, after, strict=True))
